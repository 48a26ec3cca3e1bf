import { type RefObject, useEffect, useRef } from "react";

/**
 * Goes to the first field of a form that is wrong, once what is wrong with it is shown: when it was sent, or when the service has
 * refused it.
 * @param sent what was sent last, another object each time
 */
export function useFaultFocus(sent: object | null, refused: Error | null): RefObject<HTMLFormElement | null> {
  const fields = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (sent || refused) fields.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [sent, refused]);
  return fields;
}
