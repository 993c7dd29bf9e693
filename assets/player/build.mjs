// Build each component to one script and one style sheet, minified; what several of them import is a chunk of its own.
// `npm run build` writes built/, which is kept in the repository so that the app needs no Node.
// `npm run stale` writes nothing and fails if built/ is out of date.
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { build } from "esbuild"

const HERE = import.meta.dirname
const BUILT = join(HERE, "built")

/** Every component by its name: the module that exports it as default, beside it its style sheet. */
const COMPONENTS = {
  frame: "shared/frame",
  glossary: "shared/glossary",
  exports: "shared/exports",
  heatmap: "translate/heatmap",
  heads: "translate/heads",
  step_by_step: "step_by_step/step_by_step",
  compare: "compare/compare",
  story: "story/story",
  console: "laboratory/console",
  asking: "laboratory/asking",
  words: "laboratory/words",
  beam: "laboratory/beam",
  sampling: "laboratory/sampling",
  vector: "laboratory/vector",
  need: "laboratory/need",
  family: "family/family",
  gradients: "family/gradients",
  root: "family/root",
  birth: "length_and_bleu/birth",
  sentence_bars: "your_text/sentence_bars",
}

/** Wrap every component so that it keeps to its latest data (shared/latest.js). */
const keepsLatest = {
  name: "latest",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^latest:/ }, ({ path }) => ({ path: path.replace("latest:", ""), namespace: "latest" }))
    build.onLoad({ filter: /./, namespace: "latest" }, ({ path }) => ({
      resolveDir: HERE,
      contents: `import { latest } from "./shared/latest.js"\nimport component from "./${path}.js"\nexport default latest(component)\n`,
    }))
  },
}

const entryPoints = Object.entries(COMPONENTS).flatMap(([out, path]) => [{ in: `latest:${path}`, out }, { in: join(HERE, `${path}.css`), out }])

const { outputFiles } = await build({
  entryPoints: [...entryPoints, { in: join(HERE, "shared/alone.js"), out: "alone" }],
  plugins: [keepsLatest],
  outdir: BUILT,
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "esnext",
  charset: "utf8",
  logLevel: "warning",
  absWorkingDir: HERE,
  write: false,
})

if (process.argv.includes("--check")) {
  const there = await readdir(BUILT)
  const wanted = new Map(outputFiles.map((file) => [basename(file.path), file.text]))
  const stale = there.filter((name) => !wanted.has(name))
  for (const [name, text] of wanted) {
    if (!there.includes(name) || (await readFile(join(BUILT, name), "utf8")) !== text) stale.push(name)
  }
  if (stale.length) {
    console.error(`assets/player/built is stale (${stale.join(", ")}): run "npm run build" in assets/player.`)
    process.exit(1)
  }
} else {
  await rm(BUILT, { recursive: true, force: true })
  await mkdir(BUILT)
  for (const file of outputFiles) await writeFile(file.path, file.text)
}
