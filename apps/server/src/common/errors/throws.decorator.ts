import { SetMetadata } from '@nestjs/common';
import { type ErrorCode } from '#libs/contracts';

export const THROWS = Symbol('throws');

/**
 * Error codes with which the service behind a route refuses, for the API description. Those that follow from the other
 * decorators need no mention (`route-errors.ts`): access, limits, body, parameters, ids in the path.
 */
export const Throws = (...codes: ErrorCode[]): MethodDecorator => SetMetadata(THROWS, codes);
