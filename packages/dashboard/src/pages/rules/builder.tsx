import { ConditionRows, type RowDeeds } from "../../parts/conditions/rows.js";
import type { Nameable } from "../../parts/rules/rules.queries.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { RuleRowFields } from "./row-fields.js";
import {
  isGroup,
  newRow,
  nextKey,
  type RuleGroup,
  type RuleMember,
  type RuleRowFaults,
  rowsOf,
  withMember,
} from "./rule-tree.js";
import styles from "./rules.module.css";

const words = t.rules;

interface BuilderProps {
  tree: RuleGroup;
  faults: readonly RuleRowFaults[];
  nameable: Nameable;
  onChange: (tree: RuleGroup) => void;
}

/** Conditions in groups: what joins them stands between them, and is pressed to be the other. */
export function RuleBuilder({ tree, faults, nameable, onChange }: BuilderProps) {
  const rows = rowsOf(tree);
  const groups = groupsOf(tree);
  const add = (to: RuleGroup, made: (key: number) => RuleMember) => {
    const key = nextKey(tree);
    const grown = (group: RuleGroup): RuleGroup => ({ ...group, members: [...group.members, made(key)] });
    onChange(to.key === tree.key ? grown(tree) : withMember(tree, to.key, (one) => (isGroup(one) ? grown(one) : one)));
    return key;
  };
  const addGroup = () => add(tree, (key) => ({ key, junction: "or", members: [newRow(key + 1)] })) + 1;
  const place: Place = {
    numbers: new Map(rows.map(({ key }, i) => [key, i])),
    groups: new Map(groups.map(({ key }, i) => [key, i + 1])),
    faults,
    nameable,
    add: (to) => add(to, newRow),
    change: (key, to) => onChange(withMember(tree, key, to)),
    flip: (group) =>
      group.key === tree.key ? onChange(flipped(tree)) : onChange(withMember(tree, group.key, () => flipped(group))),
  };
  return (
    <ConditionRows
      onAdd={() => add(tree, newRow)}
      more={({ adding }) => (
        <Button icon="parentheses" size="small" kind="quiet" onClick={adding(addGroup)}>
          {words.add_group}
        </Button>
      )}
    >
      {(deeds) => <Members of={tree} place={place} deeds={deeds} />}
    </ConditionRows>
  );
}

const groupsOf = ({ members }: RuleGroup): RuleGroup[] =>
  members.flatMap((member) => (isGroup(member) ? [member, ...groupsOf(member)] : []));

const flipped = (group: RuleGroup): RuleGroup => ({ ...group, junction: group.junction === "and" ? "or" : "and" });

/** What every part of the tree needs to know and may do. */
interface Place {
  numbers: ReadonlyMap<number, number>;
  groups: ReadonlyMap<number, number>;
  faults: readonly RuleRowFaults[];
  nameable: Nameable;
  add: (to: RuleGroup) => number;
  change: (key: number, to: (member: RuleMember) => RuleMember | null) => void;
  flip: (group: RuleGroup) => void;
}

function Members({ of, place, deeds }: { of: RuleGroup; place: Place; deeds: RowDeeds }) {
  return of.members.map((member, i) => (
    <div key={member.key} className={styles.member}>
      {i > 0 && (
        <button
          type="button"
          className={styles.junction}
          title={words.flip[of.junction]}
          aria-label={`${words.junctions[of.junction]}: ${words.flip[of.junction]}`}
          onClick={() => place.flip(of)}
        >
          {words.junctions[of.junction]} <span aria-hidden="true">⇌</span>
        </button>
      )}
      {isGroup(member) ? (
        <Group of={member} place={place} deeds={deeds} />
      ) : (
        <RuleRowFields
          n={(place.numbers.get(member.key) ?? 0) + 1}
          row={member}
          faults={place.faults[place.numbers.get(member.key) ?? 0] ?? {}}
          nameable={place.nameable}
          onChange={(row) => place.change(member.key, () => row)}
          onRemove={deeds.removing(() => place.change(member.key, () => null))}
        />
      )}
    </div>
  ));
}

function Group({ of, place, deeds }: { of: RuleGroup; place: Place; deeds: RowDeeds }) {
  const n = place.groups.get(of.key) ?? 0;
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{words.group(n)}</legend>
      <Members of={of} place={place} deeds={deeds} />
      <div>
        <Button icon="plus" size="small" kind="quiet" onClick={deeds.adding(() => place.add(of))}>
          {words.add_to_group(n)}
        </Button>
      </div>
    </fieldset>
  );
}
