// SPDX-License-Identifier: Apache-2.0
// Which kernel a variant has: the manifest's `defines` choose, each source looks here.
//   UNIMAC_UNIT       S-box and MixColumns operations, round keys made beforehand   (kernel.c)
//   UNIMAC_UNIT_OTF   the same, round keys made while they are used                 (otf.c)
//   UNIMAC_SOFT       S-box in a table, round keys made beforehand                  (soft.c)
//   UNIMAC_SOFT_OTF   the same, round keys made while they are used                 (soft.c)
#ifndef UNIMAC_KERNELS_H
#define UNIMAC_KERNELS_H

#define UNIMAC_UNIT 1
#define UNIMAC_UNIT_OTF 2
#define UNIMAC_SOFT 3
#define UNIMAC_SOFT_OTF 4

#ifndef UNIMAC_KERNEL
#error "the variant chooses a kernel: UNIMAC_KERNEL"
#endif

#endif
