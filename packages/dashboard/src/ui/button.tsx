import type { ComponentProps, ReactNode } from "react";
import styles from "./button.module.css";
import { Icon, type IconName } from "./icon.js";

export interface Look {
  kind?: "plain" | "primary" | "danger" | "quiet" | "link";
  size?: "small" | "normal" | "large";
  icon?: IconName;
  /** What it does is under way; pressing it again does nothing. */
  busy?: boolean;
}

/** Attributes of whatever looks like a button, a link among them. */
export const look = ({ kind = "plain", size = "normal" }: Look, square = false) => ({
  className: styles.button,
  "data-kind": kind,
  "data-size": size,
  "data-square": square || undefined,
});

export function Button({
  kind,
  size,
  icon,
  busy,
  children,
  onClick,
  className = "",
  ref,
  ...rest
}: Look & ComponentProps<"button">) {
  return (
    <button
      type="button"
      ref={ref}
      {...look({ kind, size })}
      {...rest}
      // A menu that it opens has a class of its own for it.
      className={`${styles.button} ${className}`}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && <Icon name={icon} size={size === "small" ? 16 : 18} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Look, Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  /** What a reader hears, and what stands beside the pointer. */
  label: string;
}

export function IconButton({ kind = "quiet", size, icon, label, busy, className = "", ref, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      ref={ref}
      aria-label={label}
      title={label}
      aria-busy={busy || undefined}
      {...look({ kind, size }, true)}
      {...rest}
      className={`${styles.button} ${className}`}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Words beside an icon, for what is a link and only looks like a button. */
export const withIcon = (icon: IconName, words: ReactNode, size = 18) => (
  <>
    <Icon name={icon} size={size} />
    {words}
  </>
);
