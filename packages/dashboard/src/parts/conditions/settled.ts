import { useEffect, useState } from "react";

const settled_ms = 400;

/** What somebody types, once they have stopped for a moment. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(JSON.parse(text) as Value), settled_ms);
    return () => clearTimeout(waiting);
  }, [text]);
  return settled;
}
