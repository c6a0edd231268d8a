import { Module } from '@nestjs/common';
import { FirstOrganisationRepository } from './first-organisation.repository.js';
import { FirstOrganisation } from './first-organisation.service.js';

/** For areas that make an organisation where there is none. */
@Module({ providers: [FirstOrganisation, FirstOrganisationRepository], exports: [FirstOrganisation] })
export class FirstOrganisationModule {}
