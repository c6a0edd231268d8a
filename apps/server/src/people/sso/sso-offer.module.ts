import { Module } from '@nestjs/common';
import { SsoOfferService } from './sso-offer.service.js';

/** The part of the area that pages for people show: unlike the rest, it needs no database. */
@Module({ providers: [SsoOfferService], exports: [SsoOfferService] })
export class SsoOfferModule {}
