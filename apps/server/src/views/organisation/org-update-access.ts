import { type Request } from 'express';
import { Permission } from '#libs/contracts';
import { paramsOf } from '../../common/validation/param-registry.js';
import { gatherParameters } from '../../common/validation/request-parameters.js';
import { MUTING_PARAM, UpdateOrgParams } from './dto/update-org.params.js';

/** The permission `alert` allows muting and nothing else: all other settings are for administrators. */
export function permissionsToUpdate(request: Request): number {
  const source = { query: request.query, body: request.body as unknown, form: false };
  const { known } = gatherParameters(source, paramsOf(UpdateOrgParams), true);
  const asksForMore = [...known.keys()].some((name) => name !== MUTING_PARAM);
  return asksForMore ? Permission.Admin : Permission.Alert | Permission.Admin;
}
