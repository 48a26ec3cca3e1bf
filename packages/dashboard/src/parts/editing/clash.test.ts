import { describe, expect, test } from "vitest";
import { chosenParts, clashesOf, fieldPart, type Parts, settled } from "./clash.js";
import { metadataParts } from "./metadata-parts.js";

interface Form {
  name: string;
  metadata: string;
  events: ReadonlySet<string>;
}

const aForm = (form: Partial<Form> = {}): Form => ({ name: "Mug", metadata: "{}", events: new Set(), ...form });
const parts: Parts<Form> = (forms) => [
  fieldPart("name", "Name"),
  ...metadataParts<Form>("Metadata")(forms),
  ...chosenParts<Form, "events", string>("events", ["made", "gone"], ({ events }) => events, {
    chosen: "On",
    not: "Off",
  }),
];
const asked = (opened: Form, theirs: Form, mine: Form) =>
  clashesOf(parts, opened, theirs, mine).map(({ part: { label }, theirs, mine, is_mine }) => [
    ...[label, theirs, mine, is_mine],
  ]);

describe("of a form that somebody else has saved meanwhile", () => {
  test.each`
    theirs   | mine     | shown
    ${"Mug"} | ${"Cup"} | ${[]}
    ${"Cup"} | ${"Cup"} | ${[]}
    ${"Jar"} | ${"Mug"} | ${[["Name", "Jar", "Mug", false]]}
    ${"Jar"} | ${"Cup"} | ${[["Name", "Jar", "Cup", true]]}
  `("Mug that is $theirs by now, and $mine to me, shows $shown", ({ theirs, mine, shown }) => {
    expect(asked(aForm(), aForm({ name: theirs }), aForm({ name: mine }))).toEqual(shown);
  });

  test("metadata is shown key by key; one that I left out stays as they have it, and nobody is asked", () => {
    const opened = aForm({ metadata: '{ "a": 1, "b": 1 }' });
    const theirs = aForm({ metadata: '{"a":2,"b":2,"c":2}' });
    const mine = aForm({ metadata: '{"a":3}' });
    expect(asked(opened, theirs, mine)).toEqual([["Metadata: a", "2", "3", true]]);
    expect(asked(opened, aForm({ metadata: '{"b":1,"a":1}' }), mine)).toEqual([]);
  });

  test("what is taken is theirs, and all else mine: in fields, keys and choices", () => {
    const mine = aForm({ name: "Cup", metadata: '{"a":3,"b":3}', events: new Set(["made"]) });
    const theirs = aForm({ name: "Jar", metadata: '{"a":2,"b":2}', events: new Set(["gone"]) });
    const clashes = clashesOf(parts, aForm(), theirs, mine);
    expect(clashes.map(({ part }) => part.name)).toContain("events.gone");
    const taken = new Set(["name", "Metadata.b", "events.gone"]);
    const { name, metadata, events } = settled(clashes, taken, mine, theirs);
    expect([name, JSON.parse(metadata), [...events]]).toEqual(["Jar", { a: 3, b: 2 }, ["made", "gone"]]);
  });
});
