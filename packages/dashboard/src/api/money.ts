const formats = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** How many digits a currency has behind the point; two where the browser does not know it. */
export function digitsOf(currency: string): number {
  try {
    const options = { style: "currency", currency } as const;
    return formatter("en", options).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Minor units with a point: exact, since no float is made of them. */
export function decimalString(minor: number, digits: number): string {
  const text = String(Math.abs(Math.trunc(minor))).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const sign = minor < 0 ? "-" : "";
  return digits === 0 ? sign + text : `${sign}${whole}.${text.slice(-digits)}`;
}

/** Minor units of what somebody typed, a comma or a point before the digits; null: not an amount of this currency. */
export function minorOf(typed: string, digits: number): number | null {
  const found = /^\s*(\d{1,12})(?:[.,](\d+))?\s*$/.exec(typed);
  if (!found || (found[2] ?? "").length > digits) return null;
  return Number(found[1] + (found[2] ?? "").padEnd(digits, "0"));
}

/** An amount as people of the locale read it. */
export function money(minor: number, currency: string, locale: string): string {
  const exact = decimalString(minor, digitsOf(currency)) as Intl.StringNumericLiteral;
  try {
    return formatter(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(exact);
  } catch {
    return `${exact} ${currency}`;
  }
}

export const count = (number: number, locale: string): string => formatter(locale, {}).format(number);
