import { isPossiblePhoneNumber } from 'libphonenumber-js';
import { type ParamKind, ParamProblem } from '../../common/validation/param-kind.js';
import { strKind, type TextBounds } from '../../common/validation/param.decorators.js';

const E164 = strKind({ max: 16, pattern: /^\+[1-9]\d{4,14}$/, says: 'must look like +4799999999' });

/** Telephone number in E.164. */
export const PHONE_NUMBER: ParamKind<string> = {
  schema: E164.schema,
  convert: (raw, context) => {
    const text = E164.convert(raw, context);
    if (text instanceof ParamProblem || isPossiblePhoneNumber(text)) return text;
    return ParamProblem.of('bad_format', 'must be a telephone number with a country code that exists');
  },
};

export const CHAT_MEMBER_BOUNDS: TextBounds = {
  max: 50,
  pattern: /^[A-Za-z0-9]+$/,
  says: 'must be the id of a chat member, letters and digits only',
};
export const CHAT_MEMBER_ID = strKind(CHAT_MEMBER_BOUNDS);
