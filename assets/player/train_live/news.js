// What is known of a run in the browser, and how it is kept up to date. Needs no page.

/** @import { ExampleText, NetworkReport, TrainingData } from "../payloads.js" */

/**
 * The server's answer (pages/ui/backend/live_runs.py, RunNews).
 * @typedef {object} RunNews
 * @property {NetworkReport["state"]} state
 * @property {number} ahead
 * @property {number} version
 * @property {number[]} first
 * @property {NetworkReport[]} networks
 */

/**
 * Return the networks with the news: snapshots are kept up to the first new one.
 * @type {(networks: NetworkReport[], news: RunNews) => NetworkReport[]}
 */
export const addNews = (networks, { first, networks: news }) => news.map((report, k) => ({
  ...report,
  snapshots: [...(networks[k]?.snapshots.slice(0, first[k]) ?? []), ...report.snapshots],
}))

const FIXED_EXAMPLES = 3 // as in model/training/live; the reader's own come after them

/** Return whether an example is the reader's own. @param {number} index */
export const isOwnExample = (index) => index >= FIXED_EXAMPLES

/**
 * Return the examples that are shown: the reader's own one only while there is an input.
 * @type {(examples: ExampleText[], data: Pick<TrainingData, "input">) => ExampleText[]}
 */
export const listShownExamples = (examples, { input }) => (input ? examples : examples.slice(0, FIXED_EXAMPLES))

/**
 * Return the moments of a run, in seconds: those of the network with most snapshots.
 * @type {(networks: NetworkReport[]) => number[]}
 */
export function listMoments(networks) {
  const longestNetwork = networks.reduce((best, network) => (network.snapshots.length > best.snapshots.length ? network : best), networks[0])
  return longestNetwork.snapshots.map(({ seconds }) => seconds)
}

/**
 * Return the index of a network's last snapshot at a moment, of its first one if all are later, -1 before the first
 * snapshot. Snapshots of one moment are taken up to half an interval apart.
 * @type {(network: NetworkReport, seconds: number) => number}
 */
export function findSnapshot(network, seconds) {
  const { snapshots, settings } = network
  const latest = seconds + settings.interval / 2
  const index = snapshots.findLastIndex((snapshot) => snapshot.seconds <= latest)
  return index < 0 && snapshots.length ? 0 : index
}

/**
 * Return accuracy by length at a snapshot, as [length, share]; at the last one that of the larger test, with lengths beyond
 * training.
 * @type {(network: NetworkReport, index: number) => [number, number][]}
 */
export function listLengthScores(network, index) {
  const { snapshots, exam, lengths } = network
  if (index < 0) return []
  if (index === snapshots.length - 1 && exam.length && network.state !== "running") return exam.map(({ length, accuracy }) => [length, accuracy])
  return snapshots[index].by_length.map((share, k) => [lengths[k], share])
}

/**
 * Return the mean accuracy over the lengths of training; null before the first snapshot.
 * @type {(network: NetworkReport, index: number) => number | null}
 */
export function computeAccuracy(network, index) {
  const shares = listLengthScores(network, index).filter(([length]) => network.lengths.includes(length)).map(([, share]) => share)
  return shares.length ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null
}

/** Return a rounded upper end of an axis. @param {number} value */
export function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-6)))
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * unit).find((step) => step >= value * 0.999) ?? value
}
