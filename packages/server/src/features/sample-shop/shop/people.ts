const first_names = [
  ...["Ada", "Ben", "Carla", "David", "Elif", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Klara", "Leo", "Mila"],
  ...["Noah", "Olga", "Paul", "Rosa", "Samir", "Tilda", "Uwe", "Vera", "Wanda", "Yusuf", "Zoe"],
];
const last_names = ["Berg", "Costa", "Dahl", "Fischer", "Kowalski", "Lindgren", "Moreau", "Novak", "Rossi"];
const homes = [
  { country: "DE", city: "Hamburg" },
  { country: "DE", city: "Leipzig" },
  { country: "PL", city: "Gdynia" },
  { country: "FR", city: "Lyon" },
  { country: "NL", city: "Utrecht" },
];

/** There when the shop opens. */
const first_customers = 30;
/** Of the shop's members, one customer in so many. */
export const member_each = 4;

/** How many customers there are at the end of a day. */
export const customersBy = (day: number): number => first_customers + Math.floor(day * 1.4);

/** The customer of a number, from 0; always the same. */
export function customer(number: number) {
  const first = first_names[number % first_names.length] ?? "";
  const last = last_names[Math.floor(number / 5 + number) % last_names.length] ?? "";
  const [word, other] = [first.toLowerCase(), last.toLowerCase()];
  return {
    source_id: sourceIdOf(number),
    name: `${first} ${last}`,
    email: `${word}.${other}.${number + 1}@example.com`,
    address: homes[(number * 7) % homes.length],
    metadata: { newsletter: number % 3 > 0 },
  };
}

export const sourceIdOf = (number: number): string => `crm-${41_000 + number}`;
