// SPDX-License-Identifier: Apache-2.0
// aes_dma_region as a function; a GCM message with an IV of zeros, its tag after its text.
#include "aes_dma_gcm.h"

int model_region(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes);

int model_gcm(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes);

int model_gcm(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  static const uint8_t iv[12];
  const aes_dma_gcm_t message = {iv, 12, NULL, 0};
  return aes_dma_gcm_encrypt(session, &message, in, out, nbytes, out + nbytes, 16);
}

int model_region(aes_dma_session_t *session, const uint8_t *in, uint8_t *out, size_t nbytes)
{
  aes_dma_device_t *device = session->device;
  if (device == NULL)
    return AES_DMA_ERR_KEY;
  return aes_dma_region(device, device->base, session, in, out, nbytes);
}
