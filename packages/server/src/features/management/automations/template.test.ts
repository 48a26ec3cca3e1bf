import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTemplate, filled_max, places_max } from "./template.js";

const data = { customer: { name: 'Zoë "Z"', age: 30, tags: ["a", "b"], none: null } };

function filled(template: string, from: unknown = data): unknown {
  const compiled = compileTemplate(template);
  if ("fault" in compiled) throw new Error(compiled.fault);
  return compiled.fill(from);
}

describe("a designed payload", () => {
  test.each`
    template                                    | value
    ${'"{{customer.name}}"'}                    | ${'Zoë "Z"'}
    ${'"Hello {{ customer.name }}!"'}           | ${'Hello Zoë "Z"!'}
    ${"{{customer.age}}"}                       | ${30}
    ${'"{{customer.age}}"'}                     | ${"30"}
    ${"{{customer.tags}}"}                      | ${["a", "b"]}
    ${"{{customer.tags.1}}"}                    | ${"b"}
    ${'{"x": {{customer.missing}}}'}            | ${{ x: null }}
    ${'"{{customer.missing}}"'}                 | ${""}
    ${'"{{customer.none}}"'}                    | ${""}
    ${"{{customer.toString}}"}                  | ${null}
    ${"{{customer.name.length}}"}               | ${null}
    ${"{{__proto__.constructor}}"}              | ${null}
    ${'"a \\" {{customer.age}}"'}               | ${'a " 30'}
    ${'{"{{customer.age}}": {{customer.age}}}'} | ${{ 30: 30 }}
  `("$template is $value", ({ template, value }) => {
    expect(filled(template)).toEqual(value);
  });

  test.each(["", "{", "{{a}", "{{a}}{{b}}", "{{{a}}: 1}", "1{{a}}", '"{{a}}'])("refused is %s", (template) => {
    expect(compileTemplate(template)).toEqual({ fault: "must be JSON once its places are filled" });
  });

  test("whatever the event says, what comes out is the JSON that was meant", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const template = '{"as": {{value}}, "in": "<{{text}}>"}';
        expect(filled(template, { value, text })).toEqual({ as: JSON.parse(JSON.stringify(value)), in: `<${text}>` });
      }),
    );
  });

  test("has so many places and comes to so much at most", () => {
    const places = (count: number) => `[${Array.from({ length: count }, () => "{{a}}").join()}]`;
    expect(filled(places(places_max), {})).toHaveLength(places_max);
    expect(compileTemplate(places(places_max + 1))).toEqual({ fault: `must not have more than ${places_max} places` });
    expect(filled(places(2), { a: "x".repeat(filled_max / 2) })).toBeUndefined();
  });
});
