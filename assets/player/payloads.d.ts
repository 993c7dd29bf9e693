// Made by `python -m tests.player.payloads` of the TypedDicts in pages/ui: what Python sends.

/** A saliency map beside alpha, over words and ends. `method`: its name; `means`: its definition; `values` (target, source) in nats, positive where the source word supports the target word; `alpha` (target, source), None without attention; `ranks`: rank correlation with alpha by target word, and `overall`; `complete`: how exact integrated gradients are, in words. */
export interface AskingData {
  name: string
  method: string
  means: string
  languages: [string, string]
  source: string[]
  target: string[]
  values: number[][]
  alpha: number[][] | null
  ranks: (number | null)[]
  overall: number | null
  complete: string
  made: string
  words: AskingWords
  language: string
}

/** A continuation that the search scored: its index in the tree (`number`) and its parent's (-1 for none). `id` is its piece; `step` and `rank` count from 0; `joined`: it continues a word; `p`: its probability; `total`: log-probability of its path. */
export interface BeamNode {
  number: number
  parent: number
  id: number
  step: number
  rank: number
  text: string
  joined: boolean
  p: number
  total: number
  fate: "kept" | "finished" | "pruned"
}

/** One of the n best translations: its text, score, node numbers, and word map. */
export interface BeamHypothesis {
  text: string
  score: number
  finished: boolean
  path: number[]
  target: string[]
  alpha: number[][] | null
}

/** A possible next piece; `taken`: the tree has it there; `free`: it can be taken (the end cannot). */
export interface BeamNext {
  id: number
  text: string
  joined: boolean
  p: number
  taken: boolean
  free: boolean
}

/** A beam search of one sentence. `of`: id of the search; `question`: id of sentence and model; `ranks`: rows of the tree; `at`: the selected node (-1 for none), and what could come `next` after it; `given`: number of forced pieces. */
export interface BeamData {
  of: string
  question: string
  name: string
  languages: [string, string]
  source: string[]
  width: number
  steps: number
  ranks: number
  nodes: BeamNode[]
  hypotheses: BeamHypothesis[]
  at: number
  next: BeamNext[]
  given: number
  alone?: boolean
  made: string
  words: BeamWords
  language: string
}

/** A sentence pair of the diary: words with the space before each. */
export interface BirthProbe {
  source: [string, string][]
  target: [string, string][]
}

/** A model's translation of a probe at each moment, and α over words (bytes in units of 1/255, row by row, base64; None without attention). `diagonal`, `turning`: the moment from which the diagonal and the reordering persist. */
export interface BornProbe {
  translations: string[]
  alpha: string[] | null
  diagonal: number | null
  turning: number | null
}

/** A model. `pieces` and `bleu`: of each moment. `at`: the moment for each position of the slider. */
export interface BornModel {
  name: string
  dashed: boolean
  hollow: boolean
  marker: "circle" | "square" | "diamond" | "triangle-up" | "triangle-down" | "pentagon" | "star" | "hexagon"
  pieces: number[]
  bleu: number[]
  at: number[]
  probes: BornProbe[]
}

/** The onset of alignment, opened at a probe and a moment (from 1; 0: the last). `ticks`: target pieces at each position of the slider. */
export interface BirthData {
  of: string
  probe: number
  moment: number
  ticks: number[]
  probes: BirthProbe[]
  models: BornModel[]
  languages: [string, string]
  made: string
  words: BirthWords
  language: string
}

/** A model and its line style. */
export interface ComparedModel {
  name: string
  attends: boolean
  dashed: boolean
  hollow: boolean
  marker: "circle" | "square" | "diamond" | "triangle-up" | "triangle-down" | "pentagon" | "star" | "hexagon"
}

/** One translation. `words`: with the space before each. `tail`: symbols copied after the last word. `looks`: for each word the attended positions of the whole sentence (-1: the end) with their weights, None without attention. `lost`: omitted source positions. `followed`: the last target word that follows the source, -1 if none does, None if all do. `new`: words that the previous prefix lacked. `gone`: words that only it had. `covered` of `of` source words are translated. */
export interface ComparedSide {
  words: [string, string][]
  tail: string
  marks: ("" | "repeated" | "invented" | "other")[]
  looks: [number, number][][] | null
  lost: number[]
  followed: number | null
  new: boolean[]
  gone: string[]
  log: string
  finished: boolean
  covered: number | null
  of: number
}

/** One prefix of the sentence. `count`: its number of words. `old`, `fed`: positions of the whole sentence up to which the previous prefix and this one go. `columns`: aligned words of both translations. */
export interface ComparedStage {
  count: number
  columns: ([number | null, number | null])[]
  sides: ComparedSide[]
  old: number
  fed: number
}

/** A bin of sentence lengths: the position of its point (words), BLEU, the number of sentences, and the fewest and most words (None: open). */
export interface CurvePoint {
  words: number
  bleu: number
  sentences: number
  first: number
  last: number | null
}

/** A test set: its name in files (`key`) and on the page, and a line for each model, None without an evaluation. */
export interface CurveSet {
  key: string
  name: string
  lines: (CurvePoint[] | null)[]
}

/** The length curves beside the comparison. */
export interface CurveData {
  sets: CurveSet[]
  words: CompareCurveWords
}

/** Two translations of a sentence, or of its prefixes (`grown`; `growing`: they are being made). `clause`: the number of clauses shown, 0 for the whole sentence. `runs`: how often growing was started. `same`: both by one model. `trained`: the training of each model. `equal`: BLEU after equal training, "" if unknown. `told`: whether a lexicon can mark omissions and additions. `bare`: whether overrides of the whole sentence are left out of the prefixes. `tail`: symbols copied after the last word of the source. */
export interface CompareData {
  text: string
  languages: [string, string]
  source: [string, string][]
  tail: string
  models: ComparedModel[]
  same: boolean
  stages: ComparedStage[]
  clauses: number
  grown: boolean
  growing: boolean
  clause: number
  runs: number
  curve: CurveData
  told: boolean
  bare: boolean
  trained: string[]
  equal: string
  made: string
  words: CompareWords
  language: string
}

/** A piece, its word (-1 for the end of the sentence), and whether it continues that word. */
export interface ConsolePiece {
  text: string
  word: number
  joined: boolean
}

/** A translation: its pieces, its words with the text before each, and the log-probability as text. `alpha` has a row of weights for each piece, in `parts` of 1. */
export interface ConsoleSide {
  pieces: ConsolePiece[]
  words: [string, string][]
  alpha: number[][]
  log_probability: string
}

/** Two aligned words, by index: -1 for the end of the sentence, None where there is no word. `gained`: log-probability gained by the word before the change; `moved`: KL divergence of the predictions there, in nats; `log`: log-probability of the word after the change. `difference`: weights after minus before, in `parts` of 1. Each is None where it does not apply. */
export interface ConsoleColumn {
  before: number | null
  after: number | null
  flipped: boolean
  gained: number | null
  moved: number | null
  log: number | null
  difference: number[] | null
}

/** One override as the link writes it, and in words. */
export interface ConsoleChange {
  written: string
  said: string
}

/** The attention console. `of`: id of sentence and model; `map`: key of the map that is changed; `after`: None without overrides; `told`: the overrides in one line; `kept`: how many words are unchanged, in words; `sum`: total log-probability gained, as text; `back`: the ablation table led here; `parts`: weights are integers, so many to 1. */
export interface ConsoleData {
  of: string
  name: string
  map: string
  languages: [string, string]
  source: ConsolePiece[]
  before: ConsoleSide
  after: ConsoleSide | null
  columns: ConsoleColumn[]
  changes: ConsoleChange[]
  told: string
  kept: string
  sum: string
  back: boolean
  alone?: boolean
  parts: number
  made: string
  words: ConsoleWords
  language: string
}

/** The button that copies the page's address, which only the browser can do. */
export interface ExportsData {
  words: ExportsWords
  language: string
}

/** The translation by one model. `words`: with the space before each. `tail`: symbols copied after the last word. `looks`: for each word the attended source positions (-1: the end) with their weights, None without attention. `lost`: omitted source positions. `map`: the attention map used, "" if the model has only one. `beside`: a note if the model attends to a neighbour of the word that it generates, else "". */
export interface FamilyAnswer {
  words: [string, string][]
  tail: string
  marks: ("" | "repeated" | "invented")[]
  looks: [number, number][][] | null
  lost: number[]
  finished: boolean
  map: string
  beside: string
}

/** One model. `year` and `paper`: of its architecture, "" if unknown. `taught`: how long it was trained. `answer`: None until the model has answered. `problem`: why there is no answer. */
export interface FamilyMember {
  name: string
  title: string
  year: string
  paper: string
  attends: boolean
  size: string
  taught: string
  answer: FamilyAnswer | null
  problem: string
}

/** One sentence translated by several models, oldest architecture first. `source`: words with the space before each, empty before the first answer. `tail`: symbols copied after the last word. `told`: whether a lexicon can mark omissions and additions. `unequal`: a note about unequal training time. */
export interface FamilyData {
  text: string
  languages: [string, string]
  source: [string, string][]
  tail: string
  members: FamilyMember[]
  told: boolean
  unequal: string
  made: string
  words: FamilyWords
  language: string
}

/** Whether the page is being presented, whether the translation follows the typing, and the names in the link by which alone no entry of the browser's history is made. */
export interface FrameData {
  present: boolean
  live: boolean
  places: string[]
  words: FrameWords
  language: string
}

/** Every term, the models among them: its key, its name and what it means. */
export interface GlossaryData {
  entries: [string, string, string][]
  language: string
}

/** Gradient norms by distance from 0, averaged over target tokens. `values`: over all paths. `look`: through the attention of the step alone, None without attention or if there is no other path. */
export interface GradientCurve {
  values: number[]
  look: number[] | null
}

/** One gate of one cell: its mean over the units, 0 to 1, at each position; None where the cell did not run. */
export interface GateRow {
  label: string
  values: (number | null)[]
}

/** The gates of the encoder or of the decoder, a column per token. */
export interface GateTable {
  side: "encoder" | "decoder"
  places: string[]
  rows: GateRow[]
}

/** The gradients of one model. `quiet`: whether its line is hidden. `curves`: for the whole translation, then for each of `words`; empty until computed. `problem`: why there are none. `pieces`: source tokens by distance. `places`: their positions in the source. `gateless`: why `gates` is empty. */
export interface GradientsModel {
  name: string
  title: string
  dashed: boolean
  hollow: boolean
  marker: "circle" | "square" | "diamond" | "triangle-up" | "triangle-down" | "pentagon" | "star" | "hexagon"
  quiet: boolean
  words: [string, string][]
  curves: GradientCurve[]
  pieces: string[]
  places: number[]
  gates: GateTable[]
  gateless: string
  problem: string
}

/** Gradients and gates of several models. `told`: what the curves show, for the whole translation, then for each word. `written`: the chosen word, from 1 (0: the whole translation). `shown`: the model whose gates are shown. */
export interface GradientsData {
  models: GradientsModel[]
  told: string[]
  written: number
  shown: string
  languages: [string, string]
  words: GradientsWords
  language: string
}

/** One attention map over words. `layer` and `head`: from 1, None if it has none. `values`: (rows, columns), in units of 1 / `parts`. `looks`: whether the large heatmap can show it. `prunable`: whether it can be replaced by its mean. */
export interface HeadMap {
  key: string
  layer: number | null
  head: number | null
  values: number[][]
  looks: boolean
  prunable: boolean
}

/** The maps of one name. `says`: what they show. `source`, `target`: labels of columns and rows. `sides`, `languages`: of columns and rows. `account`: whether this is coverage. `most`: the weight with the darkest cell, at least 1. */
export interface HeadGroup {
  name: string
  says: string
  source: string[]
  target: string[]
  sides: [string, string]
  languages: [string, string]
  account: boolean
  most: number
  maps: HeadMap[]
}

/** All attention maps of a translation. `shown`: the key of the map in the large heatmap. `enlarged`: of the map enlarged here, "" for none, None if the link does not hold it. */
export interface HeadsData {
  model: string
  groups: HeadGroup[]
  shown: string
  enlarged: string | null
  parts: number
  words: HeadsWords
  language: string
}

/** The source: column labels, the word that each belongs to (-1: the end), and words with the space before each. */
export interface HeatmapSource {
  labels: string[]
  word_of: number[]
  words: [string, string][]
}

/** Omissions (source positions), repetitions and additions (target positions), and the last target word that follows the source: -1 if none does, None if all do. */
export interface Difference {
  lost: number[]
  repeated: number[]
  invented: number[]
  followed: number | null
}

/** One translation. `words`: with the space before each. `tail`: symbols copied after the last word. `chance`: word probabilities, empty if unknown. `gloss`: the most attended source word of each word, -1 for the end. `likely`: the lexicon's gloss for a model without attention, "" if unknown. `alpha`: attention weights, (target, source labels), in units of 1 / `parts`. `log`: log-probabilities of the row labels. `differences`: of this translation and of the other model's. */
export interface Reading {
  labels: string[]
  word_of: number[]
  words: [string, string][]
  tail: string
  language: string
  chance: number[]
  gloss: number[] | null
  likely: string[] | null
  alpha: number[][] | null
  log: number[]
  attended: boolean
  log_probability: string
  score: string
  notes: string[]
  differences: Difference[]
}

/** The translation by the other model, with its name. */
export interface OtherReading {
  labels: string[]
  word_of: number[]
  words: [string, string][]
  tail: string
  language: string
  chance: number[]
  gloss: number[] | null
  likely: string[] | null
  alpha: number[][] | null
  log: number[]
  attended: boolean
  log_probability: string
  score: string
  notes: string[]
  differences: Difference[]
  name: string
}

/** The n best translations of a sentence, and one by another model. `of`: an identifier of these translations. `chosen`: the rank shown, from 0. `alone`: whether no other model can be compared. `cut`: the number of rows and columns if there are more, else 0. `told`: whether a lexicon can mark omissions and additions. `copied`: whether symbols of the source were copied past the model. `parts`: a weight of 1. `made`: provenance. `focus`: the key of the widget with the first keyboard focus. */
export interface HeatmapData {
  of: string
  chosen: number
  source: HeatmapSource
  name: string
  languages: [string, string]
  best: Reading[]
  beside: OtherReading | null
  alone: boolean
  cut: number
  scale: "violet" | "root" | "grey"
  unit: "words" | "pieces"
  gloss: boolean
  told: boolean
  copied: boolean
  parts: number
  made: string
  focus: string
  words: HeatmapWords
  language: string
}

/** Ablation by one rule, in words (`said`) and as an override (`written`). `kept`: words that the free translation keeps; `still`: words still predicted in the forced run; `lost`: nats lost there; `broke`: the first difference, in words; `ends`: that difference is an end; `text`: the free translation's words, each with the text before it and whether it changed. */
export interface NeedRow {
  said: string
  written: string
  kept: number
  still: number
  lost: number
  broke: string
  ends: boolean
  text: [string, string, boolean][]
}

/** A rule, and the share of words still predicted by kind of word, None where there are none. */
export interface NeedSetRow {
  said: string
  shares: (number | null)[]
}

/** Ablation over a set of sentences: its title, the kinds of words with their counts, and a row for each rule. */
export interface NeedSet {
  title: string
  kinds: string[]
  rows: NeedSetRow[]
}

/** Attention ablation of a sentence: its translation, a row for each rule, and what was measured over a set. */
export interface NeedData {
  name: string
  languages: [string, string]
  translation: [string, string][]
  rows: NeedRow[]
  set: NeedSet | null
  alone?: boolean
  made: string
  words: NeedWords
  language: string
}

/** The texts of the softmax experiment. The browser draws its vectors from a seed. */
export interface RootData {
  words: RootWords
  language: string
}

/** A sampled translation: how often it was drawn, and its words. Each word has the text before it and whether it differs from the reference translation. */
export interface SampleGroup {
  count: number
  text: [string, string, boolean][]
}

/** A word sampled at some place, "" for none, and how often. */
export interface SampleChoice {
  word: string
  count: number
}

/** Samples beside the translation that search found (`best` names the search). `count`: the number of samples; `groups`: the different ones, most frequent first; `places`: for each word of the search's translation what was sampled there; `alpha` (target, source): mean weights over words and ends, None without attention. */
export interface SamplingData {
  name: string
  best: string
  languages: [string, string]
  source: string[]
  target: string[]
  count: number
  groups: SampleGroup[]
  places: SampleChoice[][]
  alpha: number[][] | null
  means: string
  made: string
  words: SamplingWords
  language: string
}

/** A translation, or why there is none. */
export interface BarOutput {
  text?: string
  problem?: string
}

/** A sentence: its line in the file, which identifies it, its length in words, and its texts if available. */
export interface BarRow {
  line: number
  words: number
  source?: string
  reference?: string | null
  outputs?: BarOutput[]
}

/** A number per sentence, None where it has none. */
export interface BarSeries {
  label: string
  values: (number | null)[]
}

/** `SentenceMeasure` of sentence_bars.py. */
export interface BarMeasure {
  key: string
  label: string
  about: string
  series: BarSeries[]
  worst: "low" | "high"
  digits: number
  full: number | null
  attention: boolean
}

/** A model: its name in links, its title, and its source and target language. */
export interface BarModel {
  name: string
  shown: string
  languages: [string, string]
}

/** A page that can open a sentence: with `each` model by itself, or with all of them. */
export interface BarPage {
  title: string
  url: string
  each: boolean
}

/** The sentences of a file or a test set; `first`: the first measure shown; `carried`: parameters of links. */
export interface SentenceBarsData {
  title: string
  rows: BarRow[]
  measures: BarMeasure[]
  first: number
  models: BarModel[]
  pages: BarPage[]
  carried: Record<string, string>
  file: string
  description: string
  words: SentenceBarsWords
  language: string
}

/** `Symbol` of model/networks/equations/rnnsearch.py. */
export interface SentSymbol {
  letter: string
  index: string
  part: string | null
  word: "previous" | "current" | null
}

/** `Equation` of model/networks/equations/rnnsearch.py. */
export interface SentEquation {
  phase: string
  lines: ((string | SentSymbol)[])[]
  numbers: string[]
}

/** `Box` of model/networks/equations/stage.py; `text` is in the reader's language. */
export interface SentBox {
  name: string
  part: string
  shape: "circle" | "box" | "chip" | "sum" | "switch" | "label"
  x: number
  y: number
  narrow: number
  text: string
  index: string
  holds: string
  phase: string
}

/** `Arrow` of model/networks/equations/stage.py. */
export interface SentArrow {
  start: string
  end: string
  phase: string
  part: string
  leaves: "left" | "right" | "top" | "bottom"
  enters: "left" | "right" | "top" | "bottom"
  steps: "all" | "first" | "later"
}

/** `EncoderDrawing` of model/networks/equations/stage.py. */
export interface SentReading {
  layers: number
  backwards: boolean
  pipe: string
}

/** `TargetRow` of model/networks/equations/stage.py. */
export interface SentWritten {
  y: number
  by: string
}

/** `Frame` of model/networks/equations/stage.py. `behind`: the number of other layers. `said`: layer and head. */
export interface SentFrame {
  behind: number
  said: string
  left: number
  right: number
  top: number
  bottom: number
}

/** `Stage` of model/networks/equations/stage.py. `explains`: texts of unusual parts. `terms`, `fixed`: texts. */
export interface SentStage {
  readout: "before" | "after" | null
  takes: "previous" | "current" | null
  boxes: SentBox[]
  arrows: SentArrow[]
  height: number
  asks: string
  order: string[]
  reading: SentReading | null
  written: SentWritten | null
  frame: SentFrame | null
  covers: boolean
  explains: Record<string, string>
  terms: string
  fixed: string
}

/** A piece for the screen, its word (-1: the end), and whether it continues the word. */
export interface SourcePiece {
  text: string
  word: number
  joined: boolean
}

/** A piece of the translation with the space before it. */
export interface TargetPiece {
  text: string
  word: number
  joined: boolean
  gap: string
}

/** The annotations of all source pieces, as in `Vector`. */
export interface Annotations {
  norm: number[]
  blocks: number[][]
}

/** A vector: its norm, and the means of its blocks, scaled to 0 to 1. */
export interface Vector {
  norm: number
  blocks: number[]
}

/** The means of a cell's gates; None for gates it lacks. */
export interface Gates {
  update: number | null
  reset: number | null
  input: number | null
  forget: number | null
  output: number | null
}

/** A window of local attention: its center, in pieces from 1, and its reach to either side. */
export interface Window {
  middle: number
  reach: number
}

/** A candidate piece. `before`: the earlier pieces of its word. `p`: its probability, of which `copied` is by copying. `chosen`: whether it was generated. */
export interface PlayerCandidate {
  before: string
  text: string
  p: number
  copied: number
  chosen: boolean
}

/** The numbers of one step; None if the model or the Trace has none. `top`: the most attended source pieces, in order. `back`: the weights of decoder self-attention. `covered`, `covered_after`: coverage of each source piece before and after the step. `p_gen`: the probability of generating instead of copying. */
export interface PlayerStep {
  p: number
  log: number
  so_far: number
  energies: number[] | null
  alpha: number[] | null
  top: number[]
  context: Vector | null
  before: Vector | null
  after: Vector | null
  gates: Gates
  back: number[] | null
  covered: number[] | null
  covered_after: number[] | null
  p_gen: number | null
  window: Window | null
  candidates: PlayerCandidate[]
}

/** One translation, opened at `step` (from 1). */
export interface PlayerData {
  trace: string
  step: number
  model: string
  sentence: string
  languages: [string, string]
  made: string
  attends: boolean
  equations: SentEquation[]
  stage: SentStage | null
  source: SourcePiece[]
  target: TargetPiece[]
  annotations: Annotations | null
  steps: PlayerStep[]
  finished: boolean
  words: StepByStepWords
  language: string
}

/** A scene's title and its sentences in order. */
export interface StoryScene {
  title: string
  lines: string[]
}

/** One translation of a word or a phrase, its probability, and its count (0: not counted). */
export interface StoryTranslated {
  text: string
  p: number
  count: number
}

/** A span of words with its translations; `wrong`: which words of the first one a good translation does not have there. */
export interface StoryPart {
  first: number
  last: number
  translations: StoryTranslated[]
  wrong: boolean[]
}

/** Translations word by word and in phrases, counted in so many sentence `pairs`; `good`: a good translation. */
export interface StoryTables {
  source: string[]
  words: StoryPart[]
  phrases: StoryPart[]
  pairs: number
  good: string
}

/** The sentence up to a clause: the number of words read (`fed`), the vector's values scaled to 0 to 1, and its translation with a gloss for each word (None without a lexicon). `content`: indices of the source's content words; `lost`: of those omitted in the translation. */
export interface StoryStage {
  fed: number
  cells: number[]
  target: [string, string][]
  glosses: string[] | null
  content: number[]
  lost: number[]
}

/** A sentence that grows clause by clause, translated by `model` through one vector of `numbers` units. */
export interface StoryGrowth {
  model: string
  numbers: number
  source: [string, string][]
  stages: StoryStage[]
}

/** A translation and its α over words, a row per target word; the last column is the end of the sentence. */
export interface StoryMap {
  model: string
  source: [string, string][]
  target: [string, string][]
  rows: number[][]
}

/** One step of that translation: the generated piece, its probability, the decoder state (`query`), and for every source piece its annotation (`keys`), energy and weight. Vectors are scaled to 0 to 1. `guesses`: the target words whose attention the reader guesses. */
export interface StoryLookup {
  word: number
  text: string
  p: number
  query: number[]
  pieces: string[]
  keys: number[][]
  energies: number[]
  weights: number[]
  context: number[]
  guesses: number[]
}

/** BLEU by sentence length of one model, and its line style. */
export interface StoryCurve {
  name: string
  attends: boolean
  dashed: boolean
  hollow: boolean
  marker: "circle" | "square" | "diamond" | "triangle-up" | "triangle-down" | "pentagon" | "star" | "hexagon"
  points: CurvePoint[]
}

/** A translation compared with a reference: the words that the reference has too (`found`), and how many of its content words (`asked`) those are (`kept`). `lost`: the last word that still follows the reference; -1: none; None: it follows to the end. */
export interface StoryFollowed {
  name: string
  attends: boolean
  words: [string, string][]
  found: number[]
  lost: number | null
  kept: number
  asked: number
}

/** A long sentence and its translations. */
export interface StoryLong {
  source: string
  sides: StoryFollowed[]
}

/** The curves on one test set, and two long sentences. */
export interface StoryProof {
  set: string
  sentences: number
  curves: StoryCurve[]
  long: StoryLong[]
}

/** The number of updates of a model, in thousands; `published`: the paper's. */
export interface StoryBar {
  name: string
  updates: number
  published: boolean
}

/** The share of attention links that annotators agree with (None: not measured), and the models' updates. */
export interface StoryAfter {
  agree: number | null
  pairs: number
  bars: StoryBar[]
}

/** The whole story, opened at `scene` (from 1). A scene whose data is None has no picture. */
export interface StoryData {
  scene: number
  scenes: StoryScene[]
  languages: [string, string]
  tables: StoryTables | null
  growth: StoryGrowth | null
  map: StoryMap | null
  lookup: StoryLookup | null
  proof: StoryProof | null
  after: StoryAfter
  made: string
  words: StoryWords
  language: string
}

/** The translation of the first `after` words. `last`: the last of them; `text`: its words, each with the text before it; `kept`: for each word of the full translation whether this one has it. */
export interface VectorCut {
  after: number
  last: string
  text: [string, string][]
  kept: boolean[]
}

/** A sentence: its words, each with the text before it; the index of its ambiguous word (-1 for none). `word` is that word as listed, `sense` its meaning here. */
export interface VectorSentence {
  text: [string, string][]
  place: number
  word: string
  sense: string
}

/** A word in the plane, by its sentence and its index there. */
export interface VectorPoint {
  sentence: number
  word: number
  x: number
  y: number
}

/** How many of a word's `count` occurrences have a nearest neighbour of the `same` meaning, and how many by chance. `first` is the index of the word's first point. */
export interface VectorSeparated {
  word: string
  same: number
  count: number
  chance: number
  first: number
}

/** Words in a plane: those of the shipped sentences, then those of the reader's. `nearest`: for each point its nearest shipped points and their cosines; `shares` of the variance along x and y; `at`: the selected point. */
export interface VectorPlane {
  sentences: VectorSentence[]
  points: VectorPoint[]
  nearest: [number, number][][]
  separated: VectorSeparated[]
  shares: [number, number]
  at: number
}

/** The contents of the encoder's vectors. `target`: words of the full translation; `since`: after how many source words each of them stays; `plane`: None for a network without vectors of words; `means`: what the vectors are, in words. */
export interface VectorData {
  name: string
  languages: [string, string]
  target: string[]
  since: number[]
  cuts: VectorCut[]
  plane: VectorPlane | null
  means: string
  made: string
  words: VectorWords
  language: string
}

/** A piece that could replace a word: its id, text, whether it continues a word, and its probability. */
export interface ForcedChoice {
  id: number
  text: string
  joined: boolean
  p: number
}

/** A word and the text before it (`gap`), its surprise in nats, and whether the model's translation differs there. `before`: ids of the pieces before it; `choices`: pieces that could replace it. */
export interface ForcedWord {
  gap: string
  text: string
  surprise: number
  other: boolean
  before: number[]
  choices: ForcedChoice[]
}

/** One translation: its title, its log-probability, its words with the end, and where the model diverges from it. `parts` says so in words; it is "" for the model's own translation. */
export interface ForcedRow {
  title: string
  log: string
  words: ForcedWord[]
  parts: string
}

/** Translations of one sentence: the model's, the one with a forced prefix, a reference, the reader's. `of`: id of sentence and model; `forced`: there is a forced prefix; `full`: nats that fill a bar. */
export interface WordsData {
  of: string
  name: string
  languages: [string, string]
  rows: ForcedRow[]
  forced: boolean
  full: number
  alone?: boolean
  made: string
  words: ForceWords
  language: string
}

export interface AskingWords {
  working: string
  label: string
  alpha: string
  alpha_label: string
  map: string
  map_plain: string
  map_label: string
  blind: string
  means_gradient: string
  means_integrated: string
  means_occlusion: string
  for: string
  against: string
  nats: string
  scaled: string
  rank: string
  rank_label: string
  overall: string
  overall_none: string
  complete: string
  cell: string
  cell_alpha: string
  idle: string
  idle_plain: string
  end: string
  csv_help: string
  json_help: string
}

export interface BeamWords {
  label: string
  filter: string
  filter_label: string
  kept: string
  finished: string
  pruned: string
  its: string
  key: string
  sideways: string
  signs: string
  node: string
  end: string
  best: string
  picture: string
  unfinished: string
  score: string
  next: string
  start: string
  hint: string
  waiting: string
  took: string
  take: string
  free: string
  alpha: string
  alpha_label: string
  plain: string
  csv_help: string
}

export interface BirthWords {
  label: string
  probe: string
  moment: string
  play: string
  pause: string
  seen: string
  wrote: string
  nothing: string
  bleu: string
  plain: string
  diagonal: string
  turning: string
  mark: string
  cell: string
  looks: string
  end: string
  hint: string
}

export interface CompareWords {
  title: string
  label: string
  grow: string
  invite: string
  short: string
  growing: string
  play: string
  pause: string
  back: string
  on: string
  track: string
  where: string
  keys: string
  source: string
  same: string
  aligned: string
  model: string
  facts: string
  log: string
  length: string
  repeated: string
  invented: string
  lost: string
  covered: string
  no_attention: string
  mark_lost: string
  mark_repeated: string
  mark_invented: string
  mark_other: string
  differing: string
  mark_thread: string
  changed: string
  gone: string
  unfinished: string
  thread: string
  threadless: string
  and: string
  nothing: string
  told: string
  idle: string
  end: string
  looked: string
  beside: string
  blind: string
  seen: string
  lost_by: string
  taught: string
  equal: string
  trained: string
  alone: string
  in_source: string
  in_target: string
  signs: string
  rule: string
  bare: string
  untold: string
}

export interface CompareCurveWords {
  title: string
  set: string
  across: string
  upward: string
  at: string
  score: string
  none: string
  hint: string
  missing: string
}

export interface ConsoleWords {
  idle: string
  soon: string
  back: string
  kept: string
  log: string
  logs: string
  sum: string
  columns: string
  before: string
  after: string
  gained: string
  moved: string
  log_name: string
  column: string
  column_new: string
  column_gone: string
  end: string
  map: string
  map_before: string
  map_difference: string
  small_before: string
  small_difference: string
  lone: string
  lone_new: string
  lone_gone: string
  which: string
  cell: string
  said_cell: string
  weight: string
  legend: string
  legend_alone: string
  at: string
  look: string
  changed: string
  scope_step: string
  scope_range: string
  scope_all: string
  from: string
  to: string
  seed: string
  seed_hint: string
  temperature: string
  temperature_hint: string
  do_uniform: string
  do_max: string
  do_others: string
  do_before: string
  do_diagonal: string
  do_shuffled: string
  do_temperature: string
  do_never: string
  do_only: string
  help_uniform: string
  help_max: string
  help_others: string
  help_before: string
  help_diagonal: string
  help_shuffled: string
  help_temperature: string
  help_never: string
  help_only: string
  less: string
  none: string
  own: string
  said: string
  said_row: string
  said_begun: string
  said_all: string
  said_step: string
  said_word: string
  said_range: string
  said_from: string
  way_uniform: string
  way_max: string
  way_others: string
  way_before: string
  way_diagonal: string
  way_shuffled: string
  way_temperature: string
  way_sharper: string
  way_flatter: string
  way_never: string
  way_only: string
  told_uniform: string
  told_max: string
  told_others: string
  told_before: string
  told_diagonal: string
  told_shuffled: string
  told_temperature: string
  told_sharper: string
  told_flatter: string
  told_never: string
  told_only: string
  told_row: string
  told_begun: string
  told_next: string
  told_more: string
  who_word: string
  who_all: string
  who_range: string
  who_from: string
}

export interface ExportsWords {
  link: string
  link_help: string
  copied: string
  failed: string
}

export interface FamilyWords {
  lead: string
  label: string
  choose: string
  waiting: string
  picture: string
  open: string
  blind: string
  rows: string
  map: string
  mark_lost: string
  mark_repeated: string
  mark_invented: string
  clean: string
  clean_untold: string
  untold: string
  marked: string
  lost: string
  repeated: string
  invented: string
  unfinished: string
  taught: string
  untaught: string
  size: string
  unequal: string
  idle: string
  looked: string
  blind_word: string
  seen: string
  nothing: string
  end: string
  of: string
}

export interface ForceWords {
  own: string
  reference: string
  row_model: string
  row_changed: string
  row_attention: string
  row_reference: string
  row_own: string
  log: string
  surprise_alone: string
  surprise: string
  parts: string
  never: string
  alternatives: string
  hint: string
  hint_take: string
  picture: string
  take: string
  type: string
  go: string
  free: string
  end: string
  means: string
  signs: string
}

export interface FrameWords {
  skip: string
  present: string
  end: string
  present_help: string
}

export interface GradientsWords {
  heading: string
  lead: string
  label: string
  choose: string
  all: string
  curves: string
  curves_blind: string
  upward: string
  across: string
  hint: string
  at: string
  value: string
  value_look: string
  end: string
  line: string
  waiting: string
  working: string
  long: string
  unknown: string
  no_gates: string
  no_steps: string
  gates: string
  encoder: string
  decoder: string
  gate: string
  gate_hint: string
  unrun: string
  update: string
  reset: string
  input: string
  forget: string
  output: string
  numbers: string
  distance: string
  piece: string
  gradient: string
  look: string
  left: string
  falls: string
  stays: string
  kept: string
  bridged: string
  unbridged: string
  short: string
  hangs: string
  unwritten: string
  gates_csv: string
  gates_help: string
}

export interface HeadsWords {
  target_source: string
  target_target: string
  source_source: string
  account: string
  open: string
  layer: string
  head: string
  mean: string
  start: string
  end: string
  take: string
  taken: string
  prune: string
  prune_says: string
  close: string
  idle: string
  cell: string
  cell_account: string
  most: string
}

export interface HeatmapWords {
  label: string
  end: string
  legend: string
  legend_pieces: string
  legend_end: string
  legend_chance: string
  legend_gloss: string
  legend_likely: string
  legend_copied: string
  legend_lost: string
  legend_untold: string
  scale: string
  scale_root: string
  cut: string
  idle: string
  idle_words: string
  row: string
  chance: string
  column: string
  cell: string
  nobody: string
  plain_missing: string
  lost: string
  repeated: string
  invented: string
  thread: string
  threadless: string
  no_map: string
  best: string
  best_log: string
  best_score: string
  best_hint: string
  best_row: string
  described: string
  described_row: string
  chances: string
}

export interface HeatmapAnyWords {
  label: string
  legend: string
  legend_pieces: string
  legend_chance: string
  legend_gloss: string
  described: string
}

export interface HeatmapLooseWords {
  legend: string
  legend_pieces: string
}

export interface NeedWords {
  percent: string
  label: string
  own: string
  rule: string
  kept: string
  kept_of: string
  still: string
  lost: string
  broke: string
  replaced: string
  put_in: string
  left_out: string
  ended: string
  endless: string
  whole: string
  text: string
  open: string
  note: string
  legend: string
  click: string
  picture: string
  fared: string
  set: string
  kind: string
  own_none: string
  own_ask: string
  own_running: string
  own_stop: string
  own_go_on: string
  own_set: string
  own_left_out: string
  own_csv: string
  own_csv_help: string
  kind_content: string
  kind_function: string
  kind_punctuation: string
  kind_number: string
}

export interface RootWords {
  heading: string
  lead: string
  d: string
  keys: string
  without: string
  with_scale: string
  weights: string
  entropy: string
  even: string
  told: string
  again: string
  note: string
}

export interface SamplingWords {
  seed: string
  seed_help: string
  groups: string
  best: string
  times: string
  more: string
  places: string
  nothing: string
  others: string
  alpha: string
  alpha_label: string
  means: string
  plain: string
  csv_help: string
  end: string
}

export interface SentenceBarsWords {
  measure: string
  of: string
  order: string
  low: string
  high: string
  file: string
  svg: string
  png: string
  csv: string
  svg_help: string
  png_help: string
  csv_help: string
  saved: string
  failed: string
  hint: string
  hint_numbers: string
  row: string
  length: string
  list: string
  source: string
  reference: string
  nothing: string
  open: string
  before: string
  after: string
  span: string
  without: string
}

export interface StepByStepWords {
  label: string
  title: string
  end: string
  source: string
  source_layers: string
  source_plain: string
  energies: string
  weights: string
  fixed_last: string
  fixed_short: string
  candidates: string
  goes_on: string
  target: string
  play: string
  pause: string
  back: string
  on: string
  count: string
  track: string
  speed: string
  key_step: string
  key_play: string
  key_start: string
  start: string
  after: string
  no_word: string
  equations: string
  terms_gru: string
  mostly: string
  norm_context: string
  norm_state: string
  gate_update: string
  gate_reset: string
  log_piece: string
  log_sentence: string
  over: string
  explain: string
  part_h: string
  part_energies: string
  part_alpha: string
  part_context: string
  part_before: string
  part_before_state: string
  part_after: string
  part_gru: string
  part_readout: string
  part_readout_top: string
  part_previous: string
  part_fed: string
  part_candidates: string
  piece: string
  piece_alpha: string
  spoken: string
  spoken_plain: string
  spoken_guess: string
  guess: string
  ask: string
  right: string
  wrong: string
  score: string
  score_recent: string
  export: string
  export_help: string
  part_h_read: string
  part_h_layers: string
  part_before_pipe: string
  part_before_plain: string
  part_after_asks: string
  part_cell: string
  part_pipe: string
  part_context_luong: string
  part_attentional: string
  part_fed_state: string
  part_coverage: string
  part_p_gen: string
  part_residual: string
  part_context_heads: string
  part_own: string
  part_feed_forward: string
  part_position: string
  part_query: string
  stage_next: string
  stage_own: string
  stage_feed_forward: string
  stage_kept: string
  stage_layer: string
  stage_head: string
  stage_mean: string
  stage_writes: string
  stage_copies: string
  stage_pipe: string
  stage_pipe_past: string
  fixed_backwards: string
  fixed_forwards: string
  terms_pipe: string
  terms_luong: string
  terms_transformer: string
  gate_input: string
  gate_forget: string
  gate_output: string
  p_gen: string
  covered: string
}

export interface StoryWords {
  label: string
  scenes: string
  scene: string
  next: string
  back: string
  keys: string
  told: string
  missing: string
  hint: string
  word_says: string
  share: string
  percent: string
  counted: string
  by_words: string
  by_phrases: string
  good: string
  reads: string
  writes: string
  vector: string
  vector_is: string
  survives: string
  lost: string
  function: string
  gloss: string
  kept: string
  full: string
  end: string
  alpha: string
  looks: string
  seen: string
  part: string
  cells: string
  query: string
  keys_are: string
  energies: string
  weights: string
  context: string
  written: string
  query_is: string
  context_is: string
  piece_is: string
  ask: string
  right: string
  other: string
  shown: string
  across: string
  upward: string
  measured: string
  names: string
  point: string
  lost_here: string
  holds: string
  finds: string
  found: string
  unfound: string
  year_luong: string
  name_luong: string
  about_luong: string
  year_coverage: string
  name_coverage: string
  about_coverage: string
  year_copy: string
  name_copy: string
  about_copy: string
  year_transformer: string
  name_transformer: string
  about_transformer: string
  year_here: string
  name_here: string
  about_here: string
  agree: string
  agree_is: string
  updates: string
  bar_is: string
  in_paper: string
  here: string
  open: string
}

export interface VectorWords {
  means_attends: string
  means_plain: string
  cuts: string
  cuts_label: string
  cuts_idle: string
  cut: string
  there: string
  not_there: string
  written: string
  after: string
  after_label: string
  plane: string
  plane_label: string
  point: string
  shares: string
  choose: string
  nearest: string
  own: string
  separated: string
  of: string
  chance: string
  closer: string
  plane_hint: string
  cuts_csv: string
  cuts_csv_help: string
  plane_csv: string
  sense_money: string
  sense_river: string
  sense_season: string
  sense_water: string
  sense_coil: string
  sense_lamp: string
  sense_weight: string
  sense_colour: string
  sense_game: string
  sense_fire: string
  sense_fit: string
  sense_side: string
  sense_correct: string
  sense_claim: string
  sense_mail: string
  sense_alphabet: string
  sense_furniture: string
  sense_figures: string
  plane_csv_help: string
}
