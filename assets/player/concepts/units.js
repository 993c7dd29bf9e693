// Follow one unit of a GRU or an LSTM with a gate that is forced. Needs no browser.

/** @import { UnitRun } from "../payloads.js" */

/** A gate that has the value `value` from step `startStep` on; `gate` is its index, -1 for none.
 * @typedef {{ gate: number, startStep: number, value: number }} Forcing */

/**
 * Return the gates at a step.
 * @type {(run: UnitRun, step: number, forcing: Forcing) => number[]}
 */
export const getGatesAtStep = ({ gates }, step, { gate, startStep, value }) => gates.map((row, index) => (index === gate && step >= startStep ? value : row[step]))

/**
 * Return the memory before the first step and after each one, with the candidates as they were computed:
 * s′ = (1 − z)·s + z·s̃ for a GRU, whose gates are z and r; c′ = f·c + i·c̃ for an LSTM, whose gates are i, f and o.
 * @type {(run: UnitRun, forcing: Forcing) => number[]}
 */
export function followMemory(run, forcing) {
  const memory = [run.memory[0]]
  run.candidate.forEach((candidate, step) => {
    const recordedValue = run.memory[step + 1]
    if (forcing.gate < 0 || step < forcing.startStep) return memory.push(recordedValue)
    const gates = getGatesAtStep(run, step, forcing)
    const [memoryGate, candidateGate] = gates.length === 2 ? [1 - gates[0], gates[0]] : [gates[1], gates[0]]
    return memory.push(memoryGate * memory[step] + candidateGate * candidate)
  })
  return memory
}
