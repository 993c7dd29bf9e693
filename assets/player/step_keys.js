// The keys of the player. They work wherever the keyboard is, but where somebody types or chooses with them.

const TYPING = "input:not([type=range]), textarea, select, [contenteditable], [contenteditable] *"
const CHOOSING = "[role=radio], [role=tab], [role=option], [role=menuitem], [role=slider]"

function pressed(root, event) {
  const { player } = root
  const node = event.composedPath()[0]
  if (!player || !root.isConnected || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || node.matches?.(TYPING)) return
  const { clock, data } = player
  const last = data.steps.length - 1
  const group = root.contains(node) && node.closest("[data-group][role=button]")
  if (group && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    return answer(player, Number(group.dataset.group))
  }
  const paging = { PageDown: 1, PageUp: -1 }[event.key]
  // A clicker goes on to the next page from the last step, back from the first: then the key is left to the frame.
  if (paging && (clock.step + paging < 0 || clock.step + paging > last)) return
  if (!paging && node.closest?.(CHOOSING)) return
  if (event.key === " " && node.closest?.("button, a, summary, [role=button]")) return
  const action = {
    ArrowRight: () => clock.go(clock.step + 1), ArrowLeft: () => clock.go(clock.step - 1), Home: () => clock.go(0), End: () => clock.go(last),
    PageDown: () => clock.go(clock.step + 1), PageUp: () => clock.go(clock.step - 1), " ": () => toggle(player),
  }[event.key]
  if (!action) return
  event.preventDefault()
  action()
}

const toggle = ({ clock }) => (clock.playing ? clock.pause() : clock.play())
