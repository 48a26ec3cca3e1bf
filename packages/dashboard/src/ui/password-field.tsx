import { type KeyboardEvent, useState } from "react";
import { t } from "../text/index.js";
import { IconButton } from "./button.js";
import { TextField } from "./field.js";

interface PasswordFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  autoComplete: "current-password" | "new-password";
  hint?: string;
  error?: string | undefined;
  large?: boolean;
}

/** Shown on request, and says when capitals are locked. */
export function PasswordField({ hint, ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const [locked, setLocked] = useState(false);
  const look = (event: KeyboardEvent) => setLocked(event.getModifierState("CapsLock"));
  return (
    <TextField
      {...props}
      type={shown ? "text" : "password"}
      spellCheck={false}
      autoCapitalize="off"
      onKeyDown={look}
      onKeyUp={look}
      hint={locked ? t.sign_in.caps : hint}
      unit={
        <IconButton
          icon={shown ? "eyeOff" : "eye"}
          label={shown ? t.sign_in.hide : t.sign_in.show}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  );
}
