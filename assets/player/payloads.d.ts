// Made by `python -m tests.player.payloads` of the TypedDicts in pages/ui: what Python sends.

/** A saliency map beside alpha, over words, each side with its end. `method`: its name; `means`: what that is, in a sentence; `values` (target, source) in nats, above 0 where the source word spoke for the target word; `alpha` (target, source), None without attention; `ranks` with alpha of each target word, and `overall`, None where there are none; `complete`: how complete the map is, in words, "" where that is no question; `made`: by which weights. */
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

/** A continuation that the search looked at: its place in the tree of the Trace (`number`), that of the one before (-1 for none), its piece (`id`), its step and its rank there (both from 0), its text, whether it goes on with a word, its probability, the log-probability of its path, and what became of it. */
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

/** One of the n best: its text, its score, the numbers of its nodes, and its weights over words. */
export interface BeamHypothesis {
  text: string
  score: number
  finished: boolean
  path: number[]
  target: string[]
  alpha: number[][] | null
}

/** A piece that could come next: its id, whether it goes on with a word, its probability, whether the tree has it there, and whether it can be taken (the sentence's end cannot). */
export interface BeamNext {
  id: number
  text: string
  joined: boolean
  p: number
  taken: boolean
  free: boolean
}

/** A beam search of one sentence. `of`: a name of what is shown, `question`: of the sentence and the model; `at`: the number of the node that is looked at (-1 for none), and what could come `next` after it; `given`: how many pieces were given; `ranks`: rows of the tree. `alone`: it stands in a file of its own, where nothing can be asked. */
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

/** A pair that is followed: its words, each with what stands before it. */
export interface BirthProbe {
  source: [string, string][]
  target: [string, string][]
}

/** What a model made of a probe, moment by moment: its translation, and α over words (whole 255ths, a byte each, row by row, in base64; None without attention). `diagonal`, `turning`: from which moment on they are there. */
export interface BornProbe {
  translations: string[]
  alpha: string[] | null
  diagonal: number | null
  turning: number | null
}

/** A model and its moments: target pieces seen, BLEU on the diary's sample, and where on the slider each stands. */
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

/** Alignment being born, opened at a probe and a moment (from 1; 0: the last). `ticks`: target pieces at each place of the slider. */
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

/** A model and how it is drawn. */
export interface ComparedModel {
  name: string
  attends: boolean
  dashed: boolean
  hollow: boolean
  marker: "circle" | "square" | "diamond" | "triangle-up" | "triangle-down" | "pentagon" | "star" | "hexagon"
}

/** One translation: its words with what stands before each, how each is marked, and what each looked at (places of the whole sentence's words, -1 the end, and how much; None without attention). `tail`: copied symbols after the last word. `lost`: places of the source; `followed`: the last word before the thread is lost, -1 where none is followed, None where all are; `new`: which words the stage before had not; `gone`: which of its words are no more; `covered` of `of` source words. */
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

/** One beginning of the sentence: its words at its spaces, how many words the stage before had and this one has, and the aligned columns (places in each translation, None for none). */
export interface ComparedStage {
  count: number
  columns: ([number | null, number | null])[]
  sides: ComparedSide[]
  old: number
  fed: number
}

/** A bin of sentences by length: where its point is drawn (words), its BLEU, how many sentences, and their fewest and most words (None: open). */
export interface CurvePoint {
  words: number
  bleu: number
  sentences: number
  first: number
  last: number | null
}

/** A test set: what it is called in its files (`key`) and here (`name`); for each model its line, None for a model without. */
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

/** Two translations of a sentence, or of its beginnings (`grown`; `growing`: they are being made), opened at `clause` (from 1; 0: not grown). `same`: by one model twice; `trained`: how far each model was trained, as far as that is known; `equal`: how they translated when all had had as many hours, "" where that is not known; `told`: whether there is a lexicon of these languages, so that lost and invented words can be marked; `bare`: whether changes that the whole sentence was written with are left out of its beginnings; `tail`: copied symbols after the last word of the source. */
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

/** A piece as it is shown, its word (-1 for the sentence's end), and whether it goes on with a word. */
export interface ConsolePiece {
  text: string
  word: number
  joined: boolean
}

/** A translation: its pieces, its words with what stands before each, for each piece the row of weights over the source's pieces in parts of 1, and its log-probability, written. */
export interface ConsoleSide {
  pieces: ConsolePiece[]
  words: [string, string][]
  alpha: number[][]
  log_probability: string
}

/** The words of both translations that stand in one column (-1 for the sentence's end, None for none) and whether they differ; by how many nats the changes made the word before likelier (`gained`), how far they moved what the model expected there (`moved`, nats), both None where nothing was changed or nothing stood there; and the row of weights after less that before, in parts of 1, None where only one of them has one. */
export interface ConsoleColumn {
  before: number | null
  after: number | null
  flipped: boolean
  gained: number | null
  moved: number | null
  log: number | null
  difference: number[] | null
}

/** One change as the link writes it, and in words. */
export interface ConsoleChange {
  written: string
  said: string
}

/** The attention console. `of`: a name of what is shown; `map`: the key of the map that is changed; `after` is None where nothing is changed; `told`: what is changed, in a line, "" where nothing is; `kept`: how many words of the translation before stayed, in words; `sum`: of the words before the `gained`, written, "" without changes; `back`: whether the table of rules led here; `alone`: it stands in a file of its own, where nothing can be asked; `parts`: weights are whole numbers of so many parts of 1. */
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

/** The way out that only the browser has: the page's address in the clipboard. */
export interface ExportsData {
  words: ExportsWords
  language: string
}

/** What a model made of the sentence: its words with what stands before each, how each is marked, what each looked at (places of the source's words, -1 the end, and how much; None without attention), and which of its maps says so ("" where it has one only). `beside`: that it looks beside what it writes, "" where it does not. `lost`: places of the source; `finished`: whether it came to an end by itself; `tail`: copied symbols after the last word. */
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

/** A model: its name and title, the year of its kind ("" where that is not told) and its paper, how it is drawn, how large it is and how far it was trained. `answer` is None until there is one; `problem` says why there is none. */
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

/** One sentence through a family of models, in the order of the years. `source`: its words with what stands before each, none before the first answer; `tail`: copied symbols after the last of them; `told`: whether lost and invented words can be marked; `unequal`: how unequally they were trained. */
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

/** By distance from 0, means over the pieces of what was written: `values`, the gradient in the states by all roads; `look`, by the direct road alone (None for a decoder that never looks, and where there is no other road). */
export interface GradientCurve {
  values: number[]
  look: number[] | null
}

/** One gate of one cell: what it is called, and its mean over the units, from 0 to 1, at each place; None where the cell was not run. */
export interface GateRow {
  label: string
  values: (number | null)[]
}

/** The gates of one side: a column a piece. */
export interface GateTable {
  side: "encoder" | "decoder"
  places: string[]
  rows: GateRow[]
}

/** A model: its name, its title and how its line is drawn; `quiet`: only once the reader asks for it. `curves`: of everything written, then of each of `words` (with what stands before each; the last may be the end); none before they are known, and `problem` says why there never will be any. `pieces` are the source's by distance, `places` where each stands in the source. `gateless` says why `gates` are none. */
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

/** Gradients by distance and gates of one sentence in a family of models, in the order of the years. `told`: what the curves say, of everything written and then of each written word; `written`: which word is chosen, from 1 on (0: everything); `shown`: the model whose gates are shown. */
export interface GradientsData {
  models: GradientsModel[]
  told: string[]
  written: number
  shown: string
  languages: [string, string]
  words: GradientsWords
  language: string
}

/** One map over words: its key, its layer and head (from 1 on; None where it has none), its weights as whole numbers of `parts`, rows by columns, whether it says where the decoder looked, so that the large picture can show it, and whether it can be set to its mean, which the laboratory opens with. */
export interface HeadMap {
  key: string
  layer: number | null
  head: number | null
  values: number[][]
  looks: boolean
  prunable: boolean
}

/** The maps of one name: what they say in words, the labels of their rows and columns; of the columns and of the rows, which side of the sentence they are and its language; whether they keep account of looks instead of sharing one out; and which number is drawn darkest: 1, or the largest of a map that goes beyond. */
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

/** All maps of one translation by a model of that title. `shown` is the key of the map in the large picture, `enlarged` that of the one enlarged here, "" for none, which the link carries; None where no link does. */
export interface HeadsData {
  model: string
  groups: HeadGroup[]
  shown: string
  enlarged: string | null
  parts: number
  words: HeadsWords
  language: string
}

/** The source: the labels that are drawn, the word each belongs to (-1 for the end), and the words, each with what stands before it. */
export interface HeatmapSource {
  labels: string[]
  word_of: number[]
  words: [string, string][]
}

/** What a translation lost of the source (places of its words), what it repeated and invented (places of its own words), and the last of them before it lost the thread: -1 where it never had it, None where it keeps it. */
export interface Difference {
  lost: number[]
  repeated: number[]
  invented: number[]
  followed: number | null
}

/** One translation: `words` with what stands before each, their probabilities (`chance`) and the source words they looked at most (`gloss`; -1 for the end), and over the labels that are drawn the weights (rows: target; None where there are none to draw) and the logarithms of probabilities. `likely`: for a model without attention, below each word what a lexicon says it means, "" where it does not know; None where no gloss is wanted or there is no lexicon. `chance` is empty where probabilities are not known. `differences`: of this translation and of the one beside it, where there is one. `tail`: copied symbols after the last word; others stand before a word. */
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

/** The other model's translation, with the model's name. */
export interface Beside {
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

/** The n best translations of a sentence, the one at `chosen` (from 0) with its α, and what another model made of it. `told`: whether lost and invented words can be told: for these languages there is a lexicon. `copied`: whether symbols of the source were copied past the model. `of`: a name of these translations; `cut`: how many rows and columns are drawn of more, 0 where all are; `parts`: weights are whole numbers of so many parts of 1; `alone`: whether there is no other model to set beside it, as with attention from elsewhere; `focus`: the key of the widget that is given the keyboard first. */
export interface HeatmapData {
  of: string
  chosen: number
  source: HeatmapSource
  name: string
  languages: [string, string]
  best: Reading[]
  beside: Beside | null
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

/** How the translation fared under one rule: the rule in words (`said`) and as changes are written, how many words the model, free, kept, how many it would still have written each given those before, the nats lost by the given translation, where the free one first parts from it (`broke`, written, "" where it does not; `ends`: only in that one of them has an end), and the free translation's words with what stands before each and whether it flipped. */
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

/** A rule, and of each kind of word the share that would still be the likeliest, None where there were none. */
export interface NeedSetRow {
  said: string
  shares: (number | null)[]
}

/** What a measurement over a set of sentences says: which (`title`), the kinds of words with how many there were, and a row a rule. */
export interface NeedSet {
  title: string
  kinds: string[]
  rows: NeedSetRow[]
}

/** How much a sentence needs its attention: the translation with what stands before each word, a row a rule, and what was measured over a set, if anything was. `alone`: it stands in a file of its own, where nothing can be asked. */
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

/** The words; everything else is drawn at random in the browser, from a seed. */
export interface RootData {
  words: RootWords
  language: string
}

/** A translation that was drawn: how often, its words with what stands before each, and whether the translation that it is set beside has no such word in its place. */
export interface SampleGroup {
  count: number
  text: [string, string, boolean][]
}

/** A word that stood in a place, "" for none, and how often. */
export interface SampleChoice {
  word: string
  count: number
}

/** Translations drawn of one sentence. `count`: how many; `best`: what they are set beside, in words; `groups`: the different ones, most frequent first; `places`: for each word of the one they are set beside what stood there; `alpha` (target, source): mean weights over words and the end, None without attention. */
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

/** A sentence: its line, which names it while the rows of a job at work become more, its length in words and, where they are here, its texts. */
export interface BarRow {
  line: number
  words: number
  source?: string
  reference?: string | null
  outputs?: BarOutput[]
}

/** A number of every sentence, None where it has none. */
export interface BarSeries {
  label: string
  values: (number | null)[]
}

/** `Measure` of sentence_bars.py. */
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

/** A model's name in links, and on the screen, and the languages (source, target) that it was made for. */
export interface BarModel {
  name: string
  shown: string
  languages: [string, string]
}

/** A page that a sentence can be opened on: `each` model by itself, or all of them. */
export interface BarPage {
  title: string
  url: string
  each: boolean
}

/** The sentences of a file or of a test set; `first`: the measure to begin with; `carried`: what links carry on. */
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

/** `Reading` of model/networks/equations/stage.py. */
export interface SentReading {
  layers: number
  backwards: boolean
  pipe: string
}

/** `Written` of model/networks/equations/stage.py. */
export interface SentWritten {
  y: number
  by: string
}

/** `Frame` of model/networks/equations/stage.py: how many others stand behind, and which layer and heads are shown, in words. */
export interface SentFrame {
  behind: number
  said: string
  left: number
  right: number
  top: number
  bottom: number
}

/** `Stage` of model/networks/equations/stage.py. `explains`: what parts are that are something else than usual; `terms` and `fixed`: texts in the reader's language. */
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

/** A piece for the screen, the word it belongs to (-1 for the end), and whether it goes on with that word. */
export interface SourcePiece {
  text: string
  word: number
  joined: boolean
}

/** A piece of the translation with what stands before it. */
export interface TargetPiece {
  text: string
  word: number
  joined: boolean
  gap: string
}

/** The same of every source piece. */
export interface Annotations {
  norm: number[]
  blocks: number[][]
}

/** A vector: its length, and its blocks as shades from 0 to 1. */
export interface Vector {
  norm: number
  blocks: number[]
}

/** The means of a cell's gates; None where it has no such gate. */
export interface Gates {
  update: number | null
  reset: number | null
  input: number | null
  forget: number | null
  output: number | null
}

/** A local window: its middle, in pieces from 1, and how far it reaches to either side. */
export interface Window {
  middle: number
  reach: number
}

/** A piece that could be written, its probability and what of it comes of copying, what there is of its word already, and whether it was written. */
export interface PlayerCandidate {
  before: string
  text: string
  p: number
  copied: number
  chosen: boolean
}

/** The numbers of one step; what the model or the Trace has none of is None. `top`: the source pieces that are looked at most, the most first; `back`: the weights of what was written before, the beginning first; `covered`: how much each source piece was looked at before this step, and `covered_after` after it; `p_gen`: the share that is written, not copied. */
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

/** A scene's title and its sentences, in the order they are told. */
export interface StoryScene {
  title: string
  lines: string[]
}

/** One translation of a word or a phrase, its probability, and how often it was counted (0: not counted). */
export interface StoryTranslated {
  text: string
  p: number
  count: number
}

/** A stretch of the sentence (its words, from 0) with its translations; `wrong`: which words of the first one are not where a good translation has them. */
export interface StoryPart {
  first: number
  last: number
  translations: StoryTranslated[]
  wrong: boolean[]
}

/** Word by word, and in phrases: the words of the sentence, and what was counted in how many pairs. */
export interface StoryTables {
  source: string[]
  words: StoryPart[]
  phrases: StoryPart[]
  pairs: number
  good: string
}

/** The sentence up to a clause: how many of its words were read, the vector's cells (shades from 0 to 1), what was made of it with a gloss for each word (None without a lexicon), the places of the source's content words, and of those that the translation lost. */
export interface StoryStage {
  fed: number
  cells: number[]
  target: [string, string][]
  glosses: string[] | null
  content: number[]
  lost: number[]
}

/** A sentence that grows clause by clause, translated through one vector of `numbers` numbers by `model`. */
export interface StoryGrowth {
  model: string
  numbers: number
  source: [string, string][]
  stages: StoryStage[]
}

/** A translation and its α over words, a row a target word; the last column is the end of the sentence. */
export interface StoryMap {
  model: string
  source: [string, string][]
  target: [string, string][]
  rows: number[][]
}

/** One step of that translation: the piece that is written and its probability, the state that asks, and for every source piece its annotation, energy and weight; the context they are mixed into. Cells are shades from 0 to 1. */
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

/** BLEU by length of one model, and how it is drawn. */
export interface StoryCurve {
  name: string
  attends: boolean
  dashed: boolean
  hollow: boolean
  marker: "circle" | "square" | "diamond" | "triangle-up" | "triangle-down" | "pentagon" | "star" | "hexagon"
  points: CurvePoint[]
}

/** A translation followed through a reference: which of its words the reference has, the last word before the thread is lost (-1: from the beginning; None: it holds to the end), and how many of the reference's content words it finds. */
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

/** How many updates somebody's weights had, in thousands. */
export interface StoryBar {
  name: string
  updates: number
  published: boolean
}

/** What attention is not: the share of its links that people agree with (None: not measured), and how far models were trained. */
export interface StoryAfter {
  agree: number | null
  pairs: number
  bars: StoryBar[]
}

/** The whole story, opened at `scene` (from 1); what is not shipped is None, and its scene has no picture. */
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

/** A beginning of the sentence: how many words it has, the last of them, what is written of it (what stands before each word, the word), and for each word of the whole translation whether it is there. */
export interface VectorCut {
  after: number
  last: string
  text: [string, string][]
  kept: boolean[]
}

/** A sentence: its words with what stands before each; which of them is the one of several meanings (-1 for none), that word as it is listed, and its meaning here ("" for none). */
export interface VectorSentence {
  text: [string, string][]
  place: number
  word: string
  sense: string
}

/** A word in the plane: its sentence and its place there, both from 0. */
export interface VectorPoint {
  sentence: number
  word: number
  x: number
  y: number
}

/** Of the `count` occurrences of a word so many whose nearest other one has the `same` meaning, and how many that would be by `chance`; `first`: the number of its first point. */
export interface VectorSeparated {
  word: string
  same: number
  count: number
  chance: number
  first: number
}

/** Words among words. `sentences`: the shipped ones, then the reader's; `nearest`: for each of the `points` its nearest ones in the shipped sentences and their cosines; `shares` of the variance along x and y; `at`: the point that is looked at. */
export interface VectorPlane {
  sentences: VectorSentence[]
  points: VectorPoint[]
  nearest: [number, number][][]
  separated: VectorSeparated[]
  shares: [number, number]
  at: number
}

/** What is in the vector. `target`: the words of the whole translation; `since`: after how many source words each of them is there to stay; `plane`: None where the network says nothing of single words; `means`: what is looked at, in words; `made`: by which weights. */
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

/** A piece that could stand in a word's place: its id, its text, whether it goes on with a word, its probability. */
export interface ForcedChoice {
  id: number
  text: string
  joined: boolean
  p: number
}

/** A word with what stands before it, its surprise in nats, whether the model's own translation has another word there, the pieces before it (`before`, by their ids), and what could stand in its place. */
export interface ForcedWord {
  gap: string
  text: string
  surprise: number
  other: boolean
  before: number[]
  choices: ForcedChoice[]
}

/** One translation: what it is, its log-probability, its words with its end, and where the model would first have gone another way, in words, "" for its own. */
export interface ForcedRow {
  title: string
  log: string
  words: ForcedWord[]
  parts: string
}

/** The model's translation, the one begun as the reader chose, a reference, the reader's own. `of`: a name of the question; `forced`: whether something was; `full`: nats that fill a bar. `alone`: it stands in a file of its own, where nothing can be asked. */
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
