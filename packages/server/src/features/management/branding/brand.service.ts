import type { Context } from "../../../platform/context.js";
import { listBody } from "../../../platform/http/lists.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import { change, type Requested } from "../../../recording/index.js";
import { refusals } from "../../../terms/index.js";
import { knownProject } from "../../projects/index.js";
import { type Brand, brandFault, brandWith } from "./brand.js";
import type { BrandBody, BrandCreate, BrandUpdate } from "./brand.schemas.js";
import { deleteBrand, findBrand, insertBrand, listBrands, lockBrand, updateBrand } from "./brand.store.js";

export async function createBrand(context: Context, cause: Requested, input: BrandCreate): Promise<BrandBody> {
  assertAddresses(input);
  const { project_id, instant } = cause;
  return change(context, cause, async ({ tx }) => {
    await knownProject(tx, project_id);
    const brand: Brand = { id: newId("brd"), ...brandWith({}, input), created_at: instant, updated_at: null };
    if ((await insertBrand(tx, project_id, brand)) === 0) throw refusals.brandingExists();
    return toBody(brand);
  });
}

/** One, or none where nobody has made it. */
export async function readBrands({ db }: Context, project_id: string) {
  await knownProject(db, project_id);
  const brands = await listBrands(db, project_id);
  return listBody("data", brands.map(toBody), brands.length);
}

export async function readBrand({ db }: Context, project_id: string, id: string): Promise<BrandBody> {
  await knownProject(db, project_id);
  return toBody(known(await findBrand(db, project_id, id), id));
}

/** What is left out stays, field by field. */
export async function changeBrand(
  context: Context,
  cause: Requested,
  id: string,
  input: BrandUpdate,
): Promise<BrandBody> {
  assertAddresses(input);
  const { project_id, instant } = cause;
  return change(context, cause, async ({ tx }) => {
    await knownProject(tx, project_id);
    const stored = known(await lockBrand(tx, project_id, id), id);
    const brand = { ...stored, ...brandWith(stored, input), updated_at: instant };
    await updateBrand(tx, project_id, brand);
    return toBody(brand);
  });
}

export async function removeBrand(context: Context, cause: Requested, id: string): Promise<void> {
  const { project_id } = cause;
  await change(context, cause, async ({ tx }) => {
    await knownProject(tx, project_id);
    if ((await deleteBrand(tx, project_id, id)) === 0) throw unknown(id);
  });
}

function assertAddresses(input: BrandCreate | BrandUpdate): void {
  const fault = brandFault(input);
  if (fault !== null) throw problems.invalidPayload(fault);
}

const unknown = (id: string) => problems.notFound("branding_details", id);

function known(found: Brand | undefined, id: string): Brand {
  if (!found) throw unknown(id);
  return found;
}

const toBody = ({ id, brand, address, contact }: Brand): BrandBody => ({ id, brand, address, contact });
