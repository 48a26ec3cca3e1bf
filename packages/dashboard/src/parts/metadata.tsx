import { t } from "../text/index.js";
import { Card, Facts } from "../ui/page.js";

/** What a project keeps about a thing by itself; nothing where it keeps nothing. */
export function Metadata({ of }: { of: Readonly<Record<string, unknown>> | null | undefined }) {
  const values = Object.entries(of ?? {});
  if (values.length === 0) return null;
  return (
    <Card title={t.vouchers.metadata}>
      <Facts of={values.map(([name, value]) => [name, shown(value)] as const)} />
    </Card>
  );
}

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
