// SPDX-License-Identifier: Apache-2.0
// A core at a unit's functional-unit port: an operation at a time, its answer taken when it comes.
// Part of runner.c.
#define RESET_PORT port_rst_ni
enum { OP, RS1, RS2, RS3, ANSWER };  // fields of a step
enum { OF_REQUEST };                 // parts of an operation

static void inputs(struct machine *m) {
  vec *n = m->nets;
  clear(n, port_req_op_i, WIDTH(port_req_op_i));
  clear(n, port_req_rs1_i, WIDTH(port_req_rs1_i));
  clear(n, port_req_rs2_i, WIDTH(port_req_rs2_i));
  clear(n, port_req_rs3_i, WIDTH(port_req_rs3_i));
  vec active = all_of(0);
  for (unsigned i = m->first; i <= m->last && i < step_count; i++) {
    const uint32_t *f = steps[i].field;
    const vec here = m->at[i];
    put(n, port_req_op_i, WIDTH(port_req_op_i), f[OP], here);
    put(n, port_req_rs1_i, WIDTH(port_req_rs1_i), f[RS1], here);
    put(n, port_req_rs2_i, WIDTH(port_req_rs2_i), f[RS2], here);
    put(n, port_req_rs3_i, WIDTH(port_req_rs3_i), f[RS3], here);
    active |= here;
  }
  n[port_req_valid_i[0]] = active & ~m->taken[OF_REQUEST];
  n[port_rsp_ready_i[0]] = active;
}

// What the cores make of the outputs: `moved` go on to their next step.
static vec outputs(struct machine *m) {
  const vec *n = m->nets;
  const vec request =
      m->taken[OF_REQUEST] | (n[port_req_valid_i[0]] & n[port_req_ready_o[0]]);
  const vec answer = request & n[port_rsp_valid_o[0]];
  vec moved = all_of(0);
  for (unsigned i = m->first; i <= m->last && i < step_count; i++) {
    const struct step *s = &steps[i];
    const vec answered = m->at[i] & answer;
    if (!any(answered)) continue;
    const vec other = answered & differs(n, port_rsp_rd_o, WIDTH(port_rsp_rd_o), s->field[ANSWER],
                                         s->kind == WRITE ? 0 : ~UINT32_C(0));
    if (s->kind == READ) m->wrong |= other;
    if (s->kind == CHECK) m->alert |= other;
    moved |= s->kind == WAIT ? answered & ~other : answered;
  }
  m->taken[OF_REQUEST] = request & ~answer;
  return moved;
}
