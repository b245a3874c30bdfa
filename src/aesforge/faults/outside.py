# SPDX-License-Identifier: Apache-2.0
"""What is around a circuit in a campaign, a memory for example: simulated, and never flipped.

The runner flips every flip-flop that it knows. Those around the circuit become two nets each: the
value, and what it is from the next cycle on. Gates that come first copy the second to the first;
gates that come last compute the second. The runner evaluates all gates once a cycle.
"""

from dataclasses import replace

from aesforge.build.gates import Gate, Netlist


def apart(found: Netlist, prefix: str) -> Netlist:
    """Return a netlist whose flip-flops of names with a prefix are gates.

    ValueError if there is none, or nothing else.
    """
    inside = [f for f in found.flip_flops if not f.name.startswith(prefix)]
    around = [f for f in found.flip_flops if f.name.startswith(prefix)]
    if not inside or not around:
        raise ValueError(f"{len(around)} of {len(found.flip_flops)} flip-flops begin with {prefix}")
    # The runner finds bit i of the state in net 2 + i: those that stay come first.
    moved = {f.q: 2 + at for at, f in enumerate((*inside, *around))}

    def net(number: int) -> int:
        return moved.get(number, number)

    first, last, nets = [], [], found.nets
    for f in around:
        first.append(Gate("$_BUF_", net(f.q), (nets,)))
        if f.reset < 0:
            last.append(Gate("$_BUF_", nets, (net(f.d),)))
        else:
            kind = "$_ORNOT_" if f.reset_value else "$_AND_"
            last.append(Gate(kind, nets, (net(f.d), net(f.reset))))
        nets += 1
    gates = [Gate(g.kind, net(g.output), tuple(map(net, g.inputs))) for g in found.gates]
    flip_flops = [
        replace(f, q=net(f.q), d=net(f.d), reset=net(f.reset) if f.reset >= 0 else -1)
        for f in inside
    ]
    ports = {name: tuple(map(net, numbers)) for name, numbers in found.ports.items()}
    return Netlist(nets, (*first, *gates, *last), tuple(flip_flops), ports)
