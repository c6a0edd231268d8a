import { type TextBounds } from '../../common/validation/param.decorators.js';

/** Bot token of the chat. It travels in a header. */
export const CHAT_TOKEN_BOUNDS: TextBounds = { max: 255, pattern: /^[!-~]+$/, says: 'must be a token without blanks' };

/** Empty: none. */
export const CHAT_CHANNEL_BOUNDS: TextBounds = { min: 0, max: 100 };
