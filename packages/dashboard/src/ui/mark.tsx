const seal =
  "M29.60 16.00A3.80 3.80 0 0 1 27.78 22.80A3.80 3.80 0 0 1 22.80 27.78A3.80 3.80 0 0 1 16.00 29.60A3.80 3.80 0 0 1 9.20 27.78A3.80 3.80 0 0 1 4.22 22.80A3.80 3.80 0 0 1 2.40 16.00A3.80 3.80 0 0 1 4.22 9.20A3.80 3.80 0 0 1 9.20 4.22A3.80 3.80 0 0 1 16.00 2.40A3.80 3.80 0 0 1 22.80 4.22A3.80 3.80 0 0 1 27.78 9.20A3.80 3.80 0 0 1 29.60 16.00Z";

/** The seal of the house, beside its name. */
export const Mark = ({ size = 26 }: { size?: number }) => (
  <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
    <path fill="var(--accent)" d={seal} />
    <path
      fill="none"
      stroke="var(--on-accent)"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      d="M20.6 12.6A5.7 5.7 0 1 0 21.7 16.6H16.6"
    />
  </svg>
);
