export { dateField } from "./date-field.js";
export {
  anyOf,
  booleanField,
  type Field,
  fieldInEither,
  fieldOf,
  fieldThrough,
  isLike,
  type Part,
  presenceField,
  stateField,
  type Test,
  type Today,
  textField,
} from "./field.js";
export { type Filterable, filterCondition, junctionOf } from "./filters.js";
export {
  count_max,
  countsOf,
  type Listed,
  type ListRequest,
  type ListSource,
  type Many,
  readBounded,
  readList,
  type Seen,
} from "./list.js";
export { metadataField } from "./metadata-field.js";
export { numberField, numbersField } from "./number-fields.js";
export { type Order, orderedBy, orderOf, type SortKey } from "./order.js";
export { type Page, pageOf } from "./page.js";
export { areMany, readSlice, type SliceSource, walkInOrder } from "./slice.js";
