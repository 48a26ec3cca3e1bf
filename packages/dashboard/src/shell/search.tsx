import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { reasonIn } from "../api/answer.js";
import { bodyOf, type Schemas } from "../api/client.js";
import { type Project, queriesOf, useProject } from "../api/project.js";
import { t } from "../text/index.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Notice } from "../ui/page.js";
import { isTyping } from "./letters-on.js";
import styles from "./search.module.css";

type Found = Schemas["Found"];

/** Where what was found is shown; null: it has no page yet. */
const pages: Record<Found["object"], ((found: Found) => string) | null> = {
  voucher: ({ name, id }) => `vouchers/${encodeURIComponent(name ?? id)}`,
  campaign: ({ id }) => `campaigns/${encodeURIComponent(id)}`,
  order: ({ id }) => `orders/${encodeURIComponent(id)}`,
  customer: ({ id }) => `customers/${encodeURIComponent(id)}`,
  redemption: ({ id }) => `redemptions/${encodeURIComponent(id)}`,
  request: ({ id }) => `requests/${encodeURIComponent(id)}`,
};
const icons: Record<Found["object"], IconName> = {
  voucher: "ticket",
  campaign: "speakerphone",
  order: "shoppingBag",
  customer: "user",
  redemption: "receipt2",
  request: "code",
};

/** The box on top of every page of a project, and what it opens: Ctrl-K, paste, Enter. */
export function Search() {
  const project = useProject();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const is_k = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const is_slash = event.key === "/" && !isTyping(event.target);
      if (!is_k && !is_slash) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  if (!project.may("search.read")) return null;
  return (
    <>
      <button type="button" className={styles.box} onClick={() => setOpen(true)}>
        <Icon name="search" size={16} />
        <span>{t.search.label}</span>
        <kbd>{t.search.keys}</kbd>
      </button>
      {open && <Finder project={project} onClose={() => setOpen(false)} />}
    </>
  );
}

const pause_ms = 120;

/** What was typed, once there is a moment of rest. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pause_ms);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

/** What is called so, as far as there is a page of it. */
function useFound(project: Project, text: string) {
  const q = useRested(text.trim());
  const search = useQuery(
    {
      queryKey: ["search", q],
      enabled: q !== "",
      queryFn: async () => {
        const { data } = await bodyOf(project.api.GET("/dashboard/v1/search", { params: { query: { q } } }));
        return data.filter(({ object }) => pages[object] !== null);
      },
    },
    queriesOf(project.id),
  );
  const is_of_text = q === text.trim();
  return {
    found: is_of_text ? (search.data ?? []) : [],
    is_answered: is_of_text && q !== "" && search.isSuccess,
    search,
  };
}

function Finder({ project, onClose }: { project: Project; onClose: () => void }) {
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  // Enter is pressed as soon as a code was pasted, which may be before the answer.
  const [entered, setEntered] = useState(false);
  const { found, is_answered, search } = useFound(project, text);
  useEffect(() => dialog.current?.showModal(), []);
  const go = (one: Found | undefined) => {
    const path = one && pages[one.object]?.(one);
    if (!path) return;
    onClose();
    void navigate({ href: `/p/${project.id}/${path}` });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes once what was found is there.
  useEffect(() => {
    if (entered && found.length > 0) go(found[chosen]);
  }, [entered, is_answered]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) setEntered(true);
    else if (found.length > 0) setChosen((chosen + step + found.length) % found.length);
  };
  const change = (typed: string) => {
    setText(typed);
    setChosen(0);
    setEntered(false);
  };
  const is_empty = is_answered && found.length === 0;
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={t.search.label} onClose={onClose}>
      <div className={styles.field}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={t.search.label}
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${chosen}` : undefined}
          placeholder={t.search.label}
          value={text}
          spellCheck={false}
          onKeyDown={press}
          onChange={(event) => change(event.target.value)}
        />
      </div>
      <Options id={list} found={found} chosen={chosen} onChoose={go} />
      {search.error && <Notice>{reasonIn(search.error)}</Notice>}
      <p role="status" className={styles.hint}>
        {is_empty ? t.search.nothing(text.trim()) : found.length > 0 ? t.search.found(found.length) : t.search.hint}
      </p>
    </dialog>
  );
}

interface OptionsProps {
  id: string;
  found: readonly Found[];
  chosen: number;
  onChoose: (found: Found) => void;
}

const Options = ({ id, found, chosen, onChoose }: OptionsProps) => (
  <div role="listbox" id={id} aria-label={t.search.label} className={styles.list}>
    {found.map((one, i) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and says which one is chosen.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
      <div
        key={`${one.object} ${one.id}`}
        id={`${id}-${i}`}
        role="option"
        aria-selected={i === chosen}
        className={styles.option}
        onClick={() => onChoose(one)}
      >
        <Icon name={icons[one.object]} />
        <strong>{one.name ?? one.id}</strong>
        <span>{t.search.objects[one.object]}</span>
      </div>
    ))}
  </div>
);
