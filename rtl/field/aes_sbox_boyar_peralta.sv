// SPDX-License-Identifier: Apache-2.0
// S-box as a straight-line program of depth 16: J. Boyar and R. Peralta, "A depth-16 circuit for
// the AES S-box", IACR ePrint 2011/332 (128 gates forward, 127 inverse, 34 of them AND, depth of
// AND 4). Gates and names are the paper's; u0 and s0 are the most significant bits. Combinational.
//
// "both" shares the nonlinear middle and selects between the linear tops and bottoms.
module aes_sbox_boyar_peralta #(
  parameter Dir = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  // Byte -> the 22 linear forms at the input of the nonlinear part, S-box.
  function automatic logic [21:0] top_forward(input logic [7:0] byte_in);
    logic u0, u1, u2, u3, u4, u5, u6, u7, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13,
      t14, t15, t16, t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27, d;
    {u0, u1, u2, u3, u4, u5, u6, u7} = byte_in;
    t1 = u0 ^ u3;         t2 = u0 ^ u5;         t3 = u0 ^ u6;         t4 = u3 ^ u5;
    t5 = u4 ^ u6;         t6 = t1 ^ t5;         t7 = u1 ^ u2;         t8 = u7 ^ t6;
    t9 = u7 ^ t7;         t10 = t6 ^ t7;        t11 = u1 ^ u5;        t12 = u2 ^ u5;
    t13 = t3 ^ t4;        t14 = t6 ^ t11;       t15 = t5 ^ t11;       t16 = t5 ^ t12;
    t17 = t9 ^ t16;       t18 = u3 ^ u7;        t19 = t7 ^ t18;       t20 = t1 ^ t19;
    t21 = u6 ^ u7;        t22 = t7 ^ t21;       t23 = t2 ^ t22;       t24 = t2 ^ t10;
    t25 = t20 ^ t17;      t26 = t3 ^ t16;       t27 = t1 ^ t12;       d = u7;
    top_forward = {d, t27, t26, t25, t24, t23, t22, t20, t19, t17, t16, t15, t14, t13, t10, t9,
      t8, t6, t4, t3, t2, t1};
  endfunction

  // The same for the inverse S-box, inverse affine map included.
  function automatic logic [21:0] top_inverse(input logic [7:0] byte_in);
    logic u0, u1, u2, u3, u4, u5, u6, u7, t23, t22, t2, t1, t24, r5, t8, t19, t9, t10, t13, t3,
      t25, r13, t17, t20, t4, r17, r18, r19, d, t6, t16, t27, t15, t14, t26;
    {u0, u1, u2, u3, u4, u5, u6, u7} = byte_in;
    t23 = u0 ^ u3;        t22 = u1 ~^ u3;       t2 = u0 ~^ u1;        t1 = u3 ^ u4;
    t24 = u4 ~^ u7;       r5 = u6 ^ u7;         t8 = u1 ~^ t23;       t19 = t22 ^ r5;
    t9 = u7 ~^ t1;        t10 = t2 ^ t24;       t13 = t2 ^ r5;        t3 = t1 ^ r5;
    t25 = u2 ~^ t1;       r13 = u1 ^ u6;        t17 = u2 ~^ t19;      t20 = t24 ^ r13;
    t4 = u4 ^ t8;         r17 = u2 ~^ u5;       r18 = u5 ~^ u6;       r19 = u2 ~^ u4;
    d = u0 ^ r17;         t6 = t22 ^ r17;       t16 = r13 ^ r19;      t27 = t1 ^ r18;
    t15 = t10 ^ t27;      t14 = t10 ^ r18;      t26 = t3 ^ t16;
    top_inverse = {d, t27, t26, t25, t24, t23, t22, t20, t19, t17, t16, t15, t14, t13, t10, t9,
      t8, t6, t4, t3, t2, t1};
  endfunction

  // Inversion in the tower field, common to both directions: 34 AND, the products m46 to m63.
  function automatic logic [17:0] middle(input logic [21:0] forms);
    logic d, t27, t26, t25, t24, t23, t22, t20, t19, t17, t16, t15, t14, t13, t10, t9, t8, t6, t4,
      t3, t2, t1, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18,
      m19, m20, m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33, m34, m35, m36,
      m37, m38, m39, m40, m41, m42, m43, m44, m45, m46, m47, m48, m49, m50, m51, m52, m53, m54,
      m55, m56, m57, m58, m59, m60, m61, m62, m63;
    {d, t27, t26, t25, t24, t23, t22, t20, t19, t17, t16, t15, t14, t13, t10, t9, t8, t6, t4, t3,
      t2, t1} = forms;
    m1 = t13 & t6;        m2 = t23 & t8;        m3 = t14 ^ m1;        m4 = t19 & d;
    m5 = m4 ^ m1;         m6 = t3 & t16;        m7 = t22 & t9;        m8 = t26 ^ m6;
    m9 = t20 & t17;       m10 = m9 ^ m6;        m11 = t1 & t15;       m12 = t4 & t27;
    m13 = m12 ^ m11;      m14 = t2 & t10;       m15 = m14 ^ m11;      m16 = m3 ^ m2;
    m17 = m5 ^ t24;       m18 = m8 ^ m7;        m19 = m10 ^ m15;      m20 = m16 ^ m13;
    m21 = m17 ^ m15;      m22 = m18 ^ m13;      m23 = m19 ^ t25;      m24 = m22 ^ m23;
    m25 = m22 & m20;      m26 = m21 ^ m25;      m27 = m20 ^ m21;      m28 = m23 ^ m25;
    m29 = m28 & m27;      m30 = m26 & m24;      m31 = m20 & m23;      m32 = m27 & m31;
    m33 = m27 ^ m25;      m34 = m21 & m22;      m35 = m24 & m34;      m36 = m24 ^ m25;
    m37 = m21 ^ m29;      m38 = m32 ^ m33;      m39 = m23 ^ m30;      m40 = m35 ^ m36;
    m41 = m38 ^ m40;      m42 = m37 ^ m39;      m43 = m37 ^ m38;      m44 = m39 ^ m40;
    m45 = m42 ^ m41;      m46 = m44 & t6;       m47 = m40 & t8;       m48 = m39 & d;
    m49 = m43 & t16;      m50 = m38 & t9;       m51 = m37 & t17;      m52 = m42 & t15;
    m53 = m45 & t27;      m54 = m41 & t10;      m55 = m44 & t13;      m56 = m40 & t23;
    m57 = m39 & t19;      m58 = m43 & t3;       m59 = m38 & t22;      m60 = m37 & t20;
    m61 = m42 & t1;       m62 = m45 & t4;       m63 = m41 & t2;
    middle = {m63, m62, m61, m60, m59, m58, m57, m56, m55, m54, m53, m52, m51, m50, m49, m48, m47,
      m46};
  endfunction

  // Products -> byte, affine map included.
  function automatic logic [7:0] bottom_forward(input logic [17:0] products);
    logic m63, m62, m61, m60, m59, m58, m57, m56, m55, m54, m53, m52, m51, m50, m49, m48, m47,
      m46, l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15, l16, l17, l18,
      l19, l20, l21, l22, l23, l24, l25, l26, l27, l28, l29, s0, s1, s2, s3, s4, s5, s6, s7;
    {m63, m62, m61, m60, m59, m58, m57, m56, m55, m54, m53, m52, m51, m50, m49, m48, m47, m46} =
      products;
    l0 = m61 ^ m62;       l1 = m50 ^ m56;       l2 = m46 ^ m48;       l3 = m47 ^ m55;
    l4 = m54 ^ m58;       l5 = m49 ^ m61;       l6 = m62 ^ l5;        l7 = m46 ^ l3;
    l8 = m51 ^ m59;       l9 = m52 ^ m53;       l10 = m53 ^ l4;       l11 = m60 ^ l2;
    l12 = m48 ^ m51;      l13 = m50 ^ l0;       l14 = m52 ^ m61;      l15 = m55 ^ l1;
    l16 = m56 ^ l0;       l17 = m57 ^ l1;       l18 = m58 ^ l8;       l19 = m63 ^ l4;
    l20 = l0 ^ l1;        l21 = l1 ^ l7;        l22 = l3 ^ l12;       l23 = l18 ^ l2;
    l24 = l15 ^ l9;       l25 = l6 ^ l10;       l26 = l7 ^ l9;        l27 = l8 ^ l10;
    l28 = l11 ^ l14;      l29 = l11 ^ l17;      s0 = l6 ^ l24;        s1 = l16 ~^ l26;
    s2 = l19 ~^ l28;      s3 = l6 ^ l21;        s4 = l20 ^ l22;       s5 = l25 ^ l29;
    s6 = l13 ~^ l27;      s7 = l6 ~^ l23;
    bottom_forward = {s0, s1, s2, s3, s4, s5, s6, s7};
  endfunction

  // Products -> byte, inverse S-box.
  function automatic logic [7:0] bottom_inverse(input logic [17:0] products);
    logic m63, m62, m61, m60, m59, m58, m57, m56, m55, m54, m53, m52, m51, m50, m49, m48, m47,
      m46, p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18,
      p19, p20, p22, p23, p24, p25, p26, p27, p28, p29, s0, s1, s2, s3, s4, s5, s6, s7;
    {m63, m62, m61, m60, m59, m58, m57, m56, m55, m54, m53, m52, m51, m50, m49, m48, m47, m46} =
      products;
    p0 = m52 ^ m61;       p1 = m58 ^ m59;       p2 = m54 ^ m62;       p3 = m47 ^ m50;
    p4 = m48 ^ m56;       p5 = m46 ^ m51;       p6 = m49 ^ m60;       p7 = p0 ^ p1;
    p8 = m50 ^ m53;       p9 = m55 ^ m63;       p10 = m57 ^ p4;       p11 = p0 ^ p3;
    p12 = m46 ^ m48;      p13 = m49 ^ m51;      p14 = m49 ^ m62;      p15 = m54 ^ m59;
    p16 = m57 ^ m61;      p17 = m58 ^ p2;       p18 = m63 ^ p5;       p19 = p2 ^ p3;
    p20 = p4 ^ p6;        p22 = p2 ^ p7;        p23 = p7 ^ p8;        p24 = p5 ^ p7;
    p25 = p6 ^ p10;       p26 = p9 ^ p11;       p27 = p10 ^ p18;      p28 = p11 ^ p25;
    p29 = p15 ^ p20;      s0 = p13 ^ p22;       s1 = p26 ^ p29;       s2 = p17 ^ p28;
    s3 = p12 ^ p22;       s4 = p23 ^ p27;       s5 = p19 ^ p24;       s6 = p14 ^ p23;
    s7 = p9 ^ p16;
    bottom_inverse = {s0, s1, s2, s3, s4, s5, s6, s7};
  endfunction

  logic [7:0] result;

  if (Dir == "fwd") begin : gen_fwd
    logic unused_inv;
    assign unused_inv = inv_i;
    assign result = bottom_forward(middle(top_forward(data_i)));
  end else if (Dir == "inv") begin : gen_inv
    logic unused_inv;
    assign unused_inv = inv_i;
    assign result = bottom_inverse(middle(top_inverse(data_i)));
  end else if (Dir == "both") begin : gen_both
    logic [17:0] products;
    assign products = middle(inv_i ? top_inverse(data_i) : top_forward(data_i));
    assign result = inv_i ? bottom_inverse(products) : bottom_forward(products);
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end

  assign data_o = result;
endmodule
