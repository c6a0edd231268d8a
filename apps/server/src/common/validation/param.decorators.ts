/** The types of parameters. A field of a parameter class carries one of these decorators. */
export { Param } from './param.decorator.js';
export {
  BOOL_KIND,
  BoolParam,
  intKind,
  IntParam,
  type NumberBounds,
  numKind,
  NumParam,
  RowIdParam,
} from './number-param.decorators.js';
export {
  EMAIL_KIND,
  EmailParam,
  enumKind,
  EnumParam,
  GivenPasswordParam,
  PasswordParam,
  strKind,
  StrParam,
  type TextBounds,
  TimezoneParam,
} from './text-param.decorators.js';
export { FutureTimestampParam, type TimestampBounds, TimestampParam } from './time-param.decorators.js';
export { type ListBounds, listKind, ListParam, ObjectListParam } from './list-param.decorators.js';
export { JsonObjectParam, objectKind, ObjectParam } from './object-param.decorators.js';
