/** Makes something of an object once, as long as that lives; of the same object, which may not change, comes the same. */
export function oncePer<Of extends object, Made extends object>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, Made>();
  return (of) => {
    const known = made.get(of);
    if (known) return known;
    const now = make(of);
    made.set(of, now);
    return now;
  };
}
