// Follow one unit of a GRU or an LSTM with a gate that is forced. Needs no browser.

/** @import { UnitRun } from "../payloads.js" */

/** A gate that has the value `value` from step `from` on; `gate` is its index, -1 for none.
 * @typedef {{ gate: number, from: number, value: number }} Forcing */

/**
 * Return the gates at a step.
 * @type {(run: UnitRun, step: number, forcing: Forcing) => number[]}
 */
export const gatesAt = ({ gates }, step, { gate, from, value }) => gates.map((row, index) => (index === gate && step >= from ? value : row[step]))

/**
 * Return the memory before the first step and after each one, with the candidates as they were computed:
 * s′ = (1 − z)·s + z·s̃ for a GRU, whose gates are z and r; c′ = f·c + i·c̃ for an LSTM, whose gates are i, f and o.
 * @type {(run: UnitRun, forcing: Forcing) => number[]}
 */
export function followMemory(run, forcing) {
  const memory = [run.memory[0]]
  run.candidate.forEach((candidate, step) => {
    const recorded = run.memory[step + 1]
    if (forcing.gate < 0 || step < forcing.from) return memory.push(recorded)
    const gates = gatesAt(run, step, forcing)
    const [keep, take] = gates.length === 2 ? [1 - gates[0], gates[0]] : [gates[1], gates[0]]
    return memory.push(keep * memory[step] + take * candidate)
  })
  return memory
}
