import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { reasonOf } from "../../api/answer.js";
import { Refused } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { newRequestName } from "../../api/request-name.js";
import { t } from "../../text/index.js";
import { type Head, readHead, Unfit } from "./head.js";
import { startImport } from "./imports.queries.js";
import type { KindName } from "./kinds.js";
import { sentTitle, type Target } from "./mapping.js";
import { fileToSend } from "./sent-file.js";

const words = t.imports;

interface Chosen {
  file?: File;
  head?: Head;
  /** Why nothing can be done with it. */
  fault?: string;
  is_reading?: boolean;
}

/** The file that was chosen last, and its beginning as soon as that is read. */
export function useChosenFile() {
  const [chosen, setChosen] = useState<Chosen>({});
  const last = useRef<File>(undefined);
  const choose = async (file: File) => {
    last.current = file;
    setChosen({ file, is_reading: true });
    const read = await readHead(file).then(
      (head) => ({ file, head }),
      (error: unknown) => ({ file, fault: error instanceof Unfit ? error.message : words.file_gone }),
    );
    // Another one may have been chosen meanwhile.
    if (last.current === file) setChosen(read);
  };
  return { ...chosen, choose: (file: File) => void choose(file) };
}

interface Start {
  file: File;
  head: Head;
  name: KindName;
  targets: readonly Target[];
  campaign: string;
}

/** Sends the file. What is sent again after no answer came has the same name, and is not imported twice. */
export function useStart() {
  const project = useProject();
  const queries = useQueryClient();
  const last = useRef<{ of: Start; request_name: string }>(undefined);
  return useMutation({
    mutationFn: async (start: Start) => {
      const { file, head, name, targets, campaign } = start;
      const request_name = isSame(last.current?.of, start) ? last.current?.request_name : undefined;
      last.current = { of: start, request_name: request_name ?? newRequestName() };
      const sent = targets.map((target, i) => (target === "nothing" ? null : sentTitle(target, head.titles[i] ?? "")));
      const form = new FormData();
      form.append("file", await readable(fileToSend(file, head, sent)), file.name);
      return startImport(project, name, { form, campaign, request_name: last.current.request_name });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["tasks"] }),
  });
}

const isSame = (before: Start | undefined, now: Start) =>
  before !== undefined &&
  before.head === now.head &&
  before.name === now.name &&
  before.campaign === now.campaign &&
  JSON.stringify(before.targets) === JSON.stringify(now.targets);

/** A file that was written to since it was chosen cannot be read any more: that is no failure of the service. */
async function readable(sent: Promise<Blob>): Promise<Blob> {
  try {
    const blob = await sent;
    await blob.slice(-1).arrayBuffer();
    return blob;
  } catch {
    throw new Error(words.file_gone);
  }
}

/** A refusal at the field that it is about. */
export function refusalOf(error: Error | null): { above?: string; file?: string; campaign?: string } {
  if (!error) return {};
  const reason = reasonOf(error);
  if (!(error instanceof Refused)) return { file: reason };
  if (error.status === 413 || error.details?.startsWith("Property .file")) return { file: reason };
  if (error.status === 404 || error.key === "invalid_campaign") return { campaign: reason };
  return { above: reason };
}
