/** What is said where two people edit one thing. */
export const editing = {
  editing: {
    title: "Changed while you edited",
    lead: "Somebody else has saved this since you opened it. Nothing is saved yet: choose what it shall be.",
    theirs: "Theirs",
    mine: "Mine",
    left: "As it was, you left it alone",
    was: (before: string) => `It was: ${before}`,
    nothing: "nothing",
    all_mine: "Keep all of mine",
    all_theirs: "Take all of theirs",
    save: "Save this",
    back: "Back to the form",
    on: "On",
    off: "Off",
    yes: "Yes",
    no: "No",
  },
};
