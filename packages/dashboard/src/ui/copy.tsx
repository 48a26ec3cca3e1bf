import { useState } from "react";
import { t } from "../text/index.js";
import { Button, IconButton } from "./button.js";

const shown_ms = 1_500;

function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), shown_ms);
      },
      () => setCopied(false),
    );
  };
  return { copied, copy };
}

interface CopyProps {
  text: string;
  /** What it copies, for readers; with words beside the icon they say it. */
  label: string;
  words?: string;
}

export function Copy({ text, label, words }: CopyProps) {
  const { copied, copy } = useCopy(text);
  const said = (
    <span role="status" className="visually-hidden">
      {copied ? t.states.copied : ""}
    </span>
  );
  if (words)
    return (
      <>
        <Button icon={copied ? "check" : "copy"} onClick={copy} size="small">
          {copied ? t.states.copied : words}
        </Button>
        {said}
      </>
    );
  return (
    <>
      <IconButton icon={copied ? "check" : "copy"} label={label} onClick={copy} size="small" />
      {said}
    </>
  );
}
