// SPDX-License-Identifier: Apache-2.0
// The driver of a peripheral on AXI4-Lite, in polling: it takes nothing from the bus's response and
// reads STATUS. Part of runner.c.
#define RESET_PORT port_aresetn
enum { ADDRESS, DATA, MASK, ALERTS };  // fields of a step
enum { OF_ADDRESS, OF_DATA };         // parts of an access

static void inputs(struct machine *m) {
  vec *n = m->nets;
  clear(n, port_s_axi_awaddr, WIDTH(port_s_axi_awaddr));
  clear(n, port_s_axi_wdata, WIDTH(port_s_axi_wdata));
  clear(n, port_s_axi_araddr, WIDTH(port_s_axi_araddr));
  vec write = all_of(0), read = all_of(0);
  for (unsigned i = m->first; i <= m->last && i < step_count; i++) {
    const vec here = m->at[i];
    if (steps[i].kind == WRITE) {
      put(n, port_s_axi_awaddr, WIDTH(port_s_axi_awaddr), steps[i].field[ADDRESS], here);
      put(n, port_s_axi_wdata, WIDTH(port_s_axi_wdata), steps[i].field[DATA], here);
      write |= here;
    } else {
      put(n, port_s_axi_araddr, WIDTH(port_s_axi_araddr), steps[i].field[ADDRESS], here);
      read |= here;
    }
  }
  n[port_s_axi_awvalid[0]] = write & ~m->taken[OF_ADDRESS];
  n[port_s_axi_wvalid[0]] = write & ~m->taken[OF_DATA];
  n[port_s_axi_arvalid[0]] = read & ~m->taken[OF_ADDRESS];
  // A response is taken only once it can be one.
  n[port_s_axi_bready[0]] = write & m->taken[OF_ADDRESS] & m->taken[OF_DATA];
  n[port_s_axi_rready[0]] = read & m->taken[OF_ADDRESS];
  for (size_t i = 0; i < WIDTH(port_s_axi_wstrb); i++) n[port_s_axi_wstrb[i]] = all_of(1);
  clear(n, port_s_axi_awprot, WIDTH(port_s_axi_awprot));
  clear(n, port_s_axi_arprot, WIDTH(port_s_axi_arprot));
}

// What the hosts make of the outputs: `moved` go on to their next step.
static vec outputs(struct machine *m) {
  const vec *n = m->nets;
  const vec aw = n[port_s_axi_awvalid[0]] & n[port_s_axi_awready[0]];
  const vec w = n[port_s_axi_wvalid[0]] & n[port_s_axi_wready[0]];
  const vec ar = n[port_s_axi_arvalid[0]] & n[port_s_axi_arready[0]];
  const vec b = n[port_s_axi_bready[0]] & n[port_s_axi_bvalid[0]];
  const vec r = n[port_s_axi_rready[0]] & n[port_s_axi_rvalid[0]];
  vec moved = b;
  for (unsigned i = m->first; i <= m->last && i < step_count; i++) {
    const struct step *s = &steps[i];
    const vec answered = m->at[i] & r;
    if (s->kind == WRITE || !any(answered)) continue;
    const vec other = answered & differs(n, port_s_axi_rdata, WIDTH(port_s_axi_rdata),
                                         s->field[DATA], s->field[MASK]);
    if (s->kind == READ) m->wrong |= other;
    if (s->kind == CHECK) m->alert |= other;
    if (s->field[ALERTS] != 0)
      m->alert |= answered & differs(n, port_s_axi_rdata, WIDTH(port_s_axi_rdata), 0,
                                     s->field[ALERTS]);
    moved |= s->kind == WAIT ? answered & ~other : answered;
  }
  // Either the access ends, or parts of it have been taken.
  const vec ended = b | r;
  m->taken[OF_ADDRESS] = (m->taken[OF_ADDRESS] | aw | ar) & ~ended;
  m->taken[OF_DATA] = (m->taken[OF_DATA] | w) & ~ended;
  return moved;
}
