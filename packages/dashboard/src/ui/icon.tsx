import { type IconName, outlines } from "./outlines.js";

interface IconProps {
  name: IconName;
  size?: number;
  className?: string;
}

/** Beside words it says nothing of its own, so a reader is not told of it. */
export function Icon({ name, size = 18, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size < 16 ? 2 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={outlines[name]} />
    </svg>
  );
}

export type { IconName };
