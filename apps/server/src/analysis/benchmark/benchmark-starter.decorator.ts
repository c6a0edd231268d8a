import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Caller } from '../../common/auth/caller.js';
import { addressParty, partyOf } from '../../common/http/rate-limit.guard.js';
import { type EdgeRequest } from '../../common/http/request-context.js';

/** The starter of a benchmark: a caller with a credential, or an address. */
export interface BenchmarkStarter {
  caller: Caller;
  /** The party of the fair queue: the organisation, or the address. */
  party: string;
  /** The party whose benchmarks are counted together: user, token or address. */
  holder: string;
  /** The address of the network. */
  address: string;
}

/** The starter of a benchmark. */
export const CurrentStarter = createParamDecorator((_: unknown, context: ExecutionContext): BenchmarkStarter => {
  const request = context.switchToHttp().getRequest<EdgeRequest>();
  const caller: Caller = request.caller ?? { kind: 'anonymous' };
  const address = addressParty(request);
  return { caller, party: partyOf(request), holder: holderOf(caller, address), address };
});

function holderOf(caller: Caller, address: string): string {
  switch (caller.kind) {
    case 'user':
      return `user:${String(caller.userId)}`;
    case 'token':
      return `token:${String(caller.org.id)}:${String(caller.tokenRef)}`;
    default:
      return address;
  }
}
