import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";

const { management, anotherProject } = await startService();

const sent = {
  brand: { name: "Shop", website_url: "shop.example" },
  address: { street: "Main Street 1", city: "Town", postal: null, country: "Poland" },
  contact: { email: "hello@shop.example" },
};
const reminder = "You are receiving this email because you opted in at our website.";
const at = (project_id: string, id = "") =>
  `/management/v1/projects/${project_id}/branding${id === "" ? "" : `/${id}`}`;

describe("a project's brand", () => {
  test("is made, listed, changed field by field and deleted", async () => {
    const { id: project_id } = await anotherProject();
    const nothing = { object: "list", data_ref: "data", data: [], total: 0 };
    expect((await management.get(at(project_id), 200)).body).toEqual(nothing);
    const { body: made } = await management.post(at(project_id), sent, 200);
    expect(made).toEqual({
      id: expect.stringMatching(/^brd_/),
      brand: {
        ...{ name: "Shop", privacy_policy_url: null, terms_of_use_url: null },
        ...{ permission_reminder: reminder, website_url: "shop.example" },
      },
      address: { ...sent.address, state: null },
      contact: { email: "hello@shop.example", phone: null },
    });
    expect((await management.get(at(project_id, made.id), 200)).body).toEqual(made);
    expect((await management.get(at(project_id), 200)).body).toEqual({ ...nothing, data: [made], total: 1 });

    const sent_again = {
      brand: { terms_of_use_url: "https://shop.example/terms", permission_reminder: "You asked for it." },
      address: { state: "Silesia" },
      contact: { phone: "+48 1" },
    };
    const { body: changed } = await management.put(at(project_id, made.id), sent_again, 200);
    expect(changed).toEqual({
      id: made.id,
      brand: { ...made.brand, ...sent_again.brand },
      address: { ...made.address, state: "Silesia" },
      contact: { ...made.contact, phone: "+48 1" },
    });
    const cleared = { brand: { website_url: null, permission_reminder: null } };
    const { brand } = (await management.put(at(project_id, made.id), cleared, 200)).body;
    expect(brand).toEqual({ ...changed.brand, website_url: null, permission_reminder: reminder });
    await management.delete(at(project_id, made.id), 204);
    const { body } = await management.get(at(project_id, made.id), 404);
    expect(body).toMatchObject({
      ...{ key: "not_found", details: `Cannot find branding_details with id ${made.id}` },
      ...{ resource_id: made.id, resource_type: "branding_details" },
    });
    await management.delete(at(project_id, made.id), 404);
    await management.put(at(project_id, made.id), sent, 404);
    await management.post(at(project_id), sent, 200);
  });

  test("is one, for requests at once too, and another project has its own", async () => {
    const [one, other] = [await anotherProject(), await anotherProject()];
    const answers = await Promise.all([1, 2, 3].map(() => management.post(at(one.id), sent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { body } = answers.find(({ status }) => status === 200) ?? { body: {} };
    await management.post(at(other.id), sent, 200);
    await management.get(at(other.id, body.id), 404);
    await management.put(at(other.id, body.id), sent, 404);
    await management.delete(at(other.id, body.id), 404);
    await management.get(at("proj_nobody"), 404);
    await management.post(at("proj_nobody"), sent, 404);
  });

  test.each<[string, object, string]>([
    ["no brand", { address: sent.address, contact: sent.contact }, "Payload must have required property 'brand'"],
    ["no postal code", { ...sent, address: { street: "s", city: "c", country: "d" } }, "'postal'"],
    ["a page of no web", { ...sent, brand: { name: "x", terms_of_use_url: "ftp://x" } }, ".brand.terms_of_use_url"],
    ["a page that is none", { ...sent, brand: { name: "x", website_url: "nothing" } }, ".brand.website_url"],
    ["mail to nobody", { ...sent, contact: { email: "@shop" } }, ".contact.email"],
  ])("with %s is refused by its place", async (_name, wrong, said) => {
    const { id } = await anotherProject();
    const { body } = await management.post(at(id), wrong, 400);
    expect(body).toMatchObject({ key: "invalid_payload", details: expect.stringContaining(said) });
  });
});
