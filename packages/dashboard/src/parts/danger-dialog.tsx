import type { ReactNode } from "react";
import { reasonIn } from "../api/answer.js";
import { FormDialog } from "../ui/dialog.js";

interface DangerDialogProps {
  /** What is done once it is confirmed. */
  deed: { isPending: boolean; error: Error | null };
  title: string;
  submit: string;
  onSubmit: () => void;
  onClose: () => void;
  /** What is lost by it. */
  children: ReactNode;
}

/** Asks before something is done that nobody can take back. */
export const DangerDialog = ({ deed: { isPending, error }, ...dialog }: DangerDialogProps) => (
  <FormDialog danger busy={isPending} error={reasonIn(error)} {...dialog} />
);
