// Bundle each component into one minified script and one style sheet; code that several components import goes into chunks.
// `npm run build` writes built/, which is committed so that the app needs no Node.
// `npm run stale` writes nothing and fails if built/ is out of date.
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { build } from "esbuild"

const PLAYER_FOLDER = import.meta.dirname
const BUILT_FOLDER = join(PLAYER_FOLDER, "built")

/** The module of each component (its default export), by the name that Python uses; its style sheet has the same path. */
const COMPONENTS = {
  frame: "shared/frame",
  glossary: "shared/glossary",
  vote: "vote/vote",
  exports: "shared/exports",
  heatmap: "translate/heatmap",
  heads: "translate/heads",
  step_by_step: "step_by_step/step_by_step",
  compare: "compare/compare",
  story: "story/story",
  console: "laboratory/console",
  saliency: "laboratory/saliency",
  forced_decoding: "laboratory/forced_decoding",
  beam: "laboratory/beam",
  sampling: "laboratory/sampling",
  vector: "laboratory/vector",
  ablation: "laboratory/ablation",
  family: "family/family",
  gradients: "concepts/gradients",
  self_attention: "concepts/self_attention",
  positions: "concepts/positions",
  layers: "concepts/layers",
  retrieval: "concepts/retrieval",
  score_functions: "concepts/score_functions",
  windows: "concepts/windows",
  word_order: "concepts/word_order",
  feeding: "concepts/feeding",
  coverage: "concepts/coverage",
  copying: "concepts/copying",
  softmax_scaling: "concepts/softmax_scaling",
  counted_costs: "concepts/counted_costs",
  outlook: "concepts/outlook",
  bottleneck: "concepts/bottleneck",
  bidirectional: "concepts/bidirectional",
  unit_gates: "concepts/unit_gates",
  tanh_rnn: "concepts/tanh_rnn",
  forcing: "concepts/forcing",
  next_token: "concepts/next_token",
  beam_paths: "concepts/beam_paths",
  exercise: "concepts/exercise",
  alignment_onset: "length_and_bleu/alignment_onset",
  sentence_bars: "your_text/sentence_bars",
  train_live: "train_live/train_live",
}

/** Wrap every component in keepLatestData (shared/latest_data.js). */
const latestDataPlugin = {
  name: "latest",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^latest:/ }, ({ path }) => ({ path: path.replace("latest:", ""), namespace: "latest" }))
    build.onLoad({ filter: /./, namespace: "latest" }, ({ path }) => ({
      resolveDir: PLAYER_FOLDER,
      contents: `import { keepLatestData } from "./shared/latest_data.js"\nimport component from "./${path}.js"\nexport default keepLatestData(component)\n`,
    }))
  },
}

const entryPoints = Object.entries(COMPONENTS).flatMap(([name, path]) => [{ in: `latest:${path}`, out: name }, { in: join(PLAYER_FOLDER, `${path}.css`), out: name }])

const { outputFiles } = await build({
  entryPoints: [...entryPoints, { in: join(PLAYER_FOLDER, "shared/standalone.js"), out: "alone" }, { in: join(PLAYER_FOLDER, "vote/phone.js"), out: "phone" }, ...["js", "css"].map((type) => ({ in: join(PLAYER_FOLDER, `shared/speaker.${type}`), out: "speaker" }))],
  plugins: [latestDataPlugin],
  outdir: BUILT_FOLDER,
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "esnext",
  charset: "utf8",
  logLevel: "warning",
  absWorkingDir: PLAYER_FOLDER,
  write: false,
})

if (process.argv.includes("--check")) {
  const existingNames = await readdir(BUILT_FOLDER)
  const expected = new Map(outputFiles.map((file) => [basename(file.path), file.text]))
  const stale = existingNames.filter((name) => !expected.has(name))
  for (const [name, text] of expected) {
    if (!existingNames.includes(name) || (await readFile(join(BUILT_FOLDER, name), "utf8")) !== text) stale.push(name)
  }
  if (stale.length) {
    console.error(`assets/player/built is stale (${stale.join(", ")}): run "npm run build" in assets/player.`)
    process.exit(1)
  }
} else {
  await rm(BUILT_FOLDER, { recursive: true, force: true })
  await mkdir(BUILT_FOLDER)
  for (const file of outputFiles) await writeFile(file.path, file.text)
}
