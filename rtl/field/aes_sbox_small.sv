// SPDX-License-Identifier: Apache-2.0
// S-box as a straight-line program of 113 gates, 32 of them AND: J. Boyar and R. Peralta (IACR
// ePrint 2009/191, 115 gates) as shortened by C. Calik, circuit list of NIST (usnistgov/Circuits).
// Gates and names are those of the list; x0 and s0 are the most significant bits. Combinational.
//
// This forward S-box has the fewest gates here. The inverse uses InvSBox(y) = A(SBox(A(y))) with A
// the inverse affine map, since both S-boxes contain the same inversion. This costs few gates but
// gives the longest path.
module aes_sbox_small #(
  parameter Dir = "both"
) (
  input  logic       inv_i,
  input  logic [7:0] data_i,
  output logic [7:0] data_o
);
  function automatic logic [7:0] forward(input logic [7:0] byte_in);
    logic x0, x1, x2, x3, x4, x5, x6, x7, y14, y13, y9, y8, t0, y1, y4, y12, y2, y5, y3, t1, y15,
      y20, y6, y10, y11, y7, y17, y19, y16, y21, y18, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11,
      t12, t13, t14, t15, t16, t17, t18, t19, t20, t21, t22, t23, t24, t25, t26, t27, t28, t29,
      t30, t31, t32, t33, t34, t35, t36, t37, t38, t39, t40, t41, t42, t43, t44, t45, z0, z1, z2,
      z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17, tc1, tc2, tc3, tc4, tc5,
      tc6, tc7, tc8, tc9, tc10, tc11, tc12, tc13, tc14, s3, tc16, tc17, tc18, s7, tc20, tc21, s0,
      s6, s4, s1, tc26, s2, s5;
    {x0, x1, x2, x3, x4, x5, x6, x7} = byte_in;
    // Linear forms of the input.
    y14 = x3 ^ x5;        y13 = x0 ^ x6;        y9 = x0 ^ x3;         y8 = x0 ^ x5;
    t0 = x1 ^ x2;         y1 = t0 ^ x7;         y4 = y1 ^ x3;         y12 = y13 ^ y14;
    y2 = y1 ^ x0;         y5 = y1 ^ x6;         y3 = y5 ^ y8;         t1 = x4 ^ y12;
    y15 = t1 ^ x5;        y20 = t1 ^ x1;        y6 = y15 ^ x7;        y10 = y15 ^ t0;
    y11 = y20 ^ y9;       y7 = x7 ^ y11;        y17 = y10 ^ y11;      y19 = y10 ^ y8;
    y16 = t0 ^ y11;       y21 = y13 ^ y16;      y18 = x0 ^ y16;
    // Inversion.
    t2 = y12 & y15;       t3 = y3 & y6;         t4 = t3 ^ t2;         t5 = y4 & x7;
    t6 = t5 ^ t2;         t7 = y13 & y16;       t8 = y5 & y1;         t9 = t8 ^ t7;
    t10 = y2 & y7;        t11 = t10 ^ t7;       t12 = y9 & y11;       t13 = y14 & y17;
    t14 = t13 ^ t12;      t15 = y8 & y10;       t16 = t15 ^ t12;      t17 = t4 ^ y20;
    t18 = t6 ^ t16;       t19 = t9 ^ t14;       t20 = t11 ^ t16;      t21 = t17 ^ t14;
    t22 = t18 ^ y19;      t23 = t19 ^ y21;      t24 = t20 ^ y18;      t25 = t21 ^ t22;
    t26 = t21 & t23;      t27 = t24 ^ t26;      t28 = t25 & t27;      t29 = t28 ^ t22;
    t30 = t23 ^ t24;      t31 = t22 ^ t26;      t32 = t31 & t30;      t33 = t32 ^ t24;
    t34 = t23 ^ t33;      t35 = t27 ^ t33;      t36 = t24 & t35;      t37 = t36 ^ t34;
    t38 = t27 ^ t36;      t39 = t29 & t38;      t40 = t25 ^ t39;      t41 = t40 ^ t37;
    t42 = t29 ^ t33;      t43 = t29 ^ t40;      t44 = t33 ^ t37;      t45 = t42 ^ t41;
    z0 = t44 & y15;       z1 = t37 & y6;        z2 = t33 & x7;        z3 = t43 & y16;
    z4 = t40 & y1;        z5 = t29 & y7;        z6 = t42 & y11;       z7 = t45 & y17;
    z8 = t41 & y10;       z9 = t44 & y12;       z10 = t37 & y3;       z11 = t33 & y4;
    z12 = t43 & y13;      z13 = t40 & y5;       z14 = t29 & y2;       z15 = t42 & y9;
    z16 = t45 & y14;      z17 = t41 & y8;
    // Linear output.
    tc1 = z15 ^ z16;      tc2 = z10 ^ tc1;      tc3 = z9 ^ tc2;       tc4 = z0 ^ z2;
    tc5 = z1 ^ z0;        tc6 = z3 ^ z4;        tc7 = z12 ^ tc4;      tc8 = z7 ^ tc6;
    tc9 = z8 ^ tc7;       tc10 = tc8 ^ tc9;     tc11 = tc6 ^ tc5;     tc12 = z3 ^ z5;
    tc13 = z13 ^ tc1;     tc14 = tc4 ^ tc12;    s3 = tc3 ^ tc11;      tc16 = z6 ^ tc8;
    tc17 = z14 ^ tc10;    tc18 = tc13 ^ tc14;   s7 = z12 ~^ tc18;     tc20 = z15 ^ tc16;
    tc21 = tc2 ^ z11;     s0 = tc3 ^ tc16;      s6 = tc10 ~^ tc18;    s4 = tc14 ^ s3;
    s1 = s3 ~^ tc16;      tc26 = tc17 ^ tc20;   s2 = tc26 ~^ z17;     s5 = tc21 ^ tc17;
    forward = {s0, s1, s2, s3, s4, s5, s6, s7};
  endfunction

  logic [7:0] box_in, box_out, result;

  assign box_out = forward(box_in);

  if (Dir == "fwd") begin : gen_fwd
    logic unused_inv;
    assign unused_inv = inv_i;
    assign box_in = data_i;
    assign result = box_out;
  end else if (Dir == "inv" || Dir == "both") begin : gen_inv
    logic [7:0] unaffine_in, unaffine_out;
    aes_affine_inv u_affine_in (.data_i(data_i), .data_o(unaffine_in));
    aes_affine_inv u_affine_out (.data_i(box_out), .data_o(unaffine_out));
    if (Dir == "inv") begin : gen_always
      logic unused_inv;
      assign unused_inv = inv_i;
      assign box_in = unaffine_in;
      assign result = unaffine_out;
    end else begin : gen_select
      assign box_in = inv_i ? unaffine_in : data_i;
      assign result = inv_i ? unaffine_out : box_out;
    end
  end else begin : gen_unknown
    aesforge_unknown_dir u_unknown ();
  end

  assign data_o = result;
endmodule
