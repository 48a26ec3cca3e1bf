/** Letters as keys. */
export const letters = {
  letters: {
    title: "Keys",
    on: "Letters are keys",
    on_hint: "Kept in this browser. Ctrl K and ? work without them.",
    of: [
      ["Ctrl K", "Find"],
      ["/", "Find"],
      ["c", "New, where the page makes something"],
      ["j", "Next row"],
      ["k", "Row before"],
      ["x", "Select the row, or not"],
      ["Enter", "Open the row"],
      ["Esc", "Close"],
      ["?", "These keys"],
    ] as const,
  },
};
