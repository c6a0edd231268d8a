import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Permission } from '#libs/contracts';
import { PermissionDeniedError } from '../../common/auth/auth.errors.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { paramsOf } from '../../common/validation/param-registry.js';
import { gatherParameters } from '../../common/validation/request-parameters.js';
import { MUTING_PARAM, UpdateOrgParams } from './dto/update-org.params.js';

/** The permission `alert` allows muting and nothing else: all other settings are for administrators. */
@Injectable()
export class OrgUpdateGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Request & { caller: KnownCaller }>();
    if ((request.caller.permissions & Permission.Admin) !== 0) return true;
    const source = { query: request.query, body: request.body as unknown, form: false };
    const { known } = gatherParameters(source, paramsOf(UpdateOrgParams), true);
    if ([...known.keys()].some((name) => name !== MUTING_PARAM)) throw new PermissionDeniedError('admin');
    return true;
  }
}
