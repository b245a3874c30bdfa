// SPDX-License-Identifier: Apache-2.0
// Generated from aes_masked.rdl by aesforge.build.registers.
package aes_masked_regs_pkg;
  localparam logic [11:0] ADDR_ID = 12'h000;
  localparam logic [31:0] ID_RESET = 32'h41454d01;
  localparam logic [11:0] ADDR_CAPS = 12'h004;
  localparam CAPS_SIDELOAD_LSB = 0;
  localparam logic [11:0] ADDR_CTRL = 12'h008;
  localparam CTRL_KEY_LEN_LSB = 0;
  localparam CTRL_MODE_LSB = 4;
  localparam CTRL_PAIR_LSB = 8;
  localparam logic [11:0] ADDR_TRIGGER = 12'h00c;
  localparam TRIGGER_WIPE_LSB = 0;
  localparam TRIGGER_SIDELOAD_LSB = 1;
  localparam logic [11:0] ADDR_STATUS = 12'h010;
  localparam STATUS_IDLE_LSB = 0;
  localparam STATUS_SEEDED_LSB = 1;
  localparam STATUS_WIPING_LSB = 2;
  localparam STATUS_KEY_VALID_LSB = 3;
  localparam STATUS_INPUT_READY_LSB = 4;
  localparam STATUS_OUTPUT_VALID_LSB = 5;
  localparam STATUS_ERROR_LSB = 6;
  localparam logic [11:0] ADDR_ERROR = 12'h014;
  localparam ERROR_ACCESS_LSB = 0;
  localparam ERROR_KEY_LSB = 1;
  localparam ERROR_UNSEEDED_LSB = 2;
  localparam logic [11:0] ADDR_INTR_ENABLE = 12'h018;
  localparam INTR_ENABLE_OUTPUT_LSB = 0;
  localparam INTR_ENABLE_ERROR_LSB = 1;
  localparam logic [11:0] ADDR_SEED = 12'h020;
  localparam logic [11:0] ADDR_KEY0 = 12'h040;
  localparam logic [11:0] ADDR_KEY1 = 12'h060;
  localparam logic [11:0] ADDR_DATA_IN = 12'h080;
  localparam logic [11:0] ADDR_DATA_OUT = 12'h090;
  localparam logic [11:0] ADDR_IV = 12'h0a0;
endpackage
