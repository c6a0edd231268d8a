import { Module } from '@nestjs/common';
import { SsoOfferService } from './sso-offer.service.js';

/** What pages for people show of the area: it needs no database, unlike the rest. */
@Module({ providers: [SsoOfferService], exports: [SsoOfferService] })
export class SsoOfferModule {}
