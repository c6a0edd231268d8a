import { SetMetadata } from '@nestjs/common';

export const RAW_RESPONSE = Symbol('raw response');

/** The answer goes out as the handler returns it, without envelope: pictures, graphs, the API description. */
export const RawResponse = (): MethodDecorator & ClassDecorator => SetMetadata(RAW_RESPONSE, true);
