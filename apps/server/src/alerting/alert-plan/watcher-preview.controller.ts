import { Controller, Post, SetMetadata } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { FETCH_ROUTE } from '../../common/http/fetch.decorator.js';
import { RateLimitConfig } from '../../common/http/rate-limit.config.js';
import { rateLimit, RateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { Params } from '../../common/validation/params.decorator.js';
import { WatcherPreviewDto } from './dto/watcher-preview.dto.js';
import { PreviewWatcherParams } from './dto/watcher-preview.params.js';
import { WatcherPreviewService } from './watcher-preview.service.js';

/** Previews of one session or token. */
const WATCHER_PREVIEWS = rateLimit({
  name: 'watcherPreviews',
  config: RateLimitConfig,
  points: (config) => config.heavy,
  windowSeconds: MINUTE,
});

@ApiTags('watcher')
@Controller()
export class WatcherPreviewController {
  constructor(private readonly previews: WatcherPreviewService) {}

  @Post('watcher/preview')
  @SetMetadata(FETCH_ROUTE, true)
  @RequirePermissions(Permission.Read)
  @RateLimit(WATCHER_PREVIEWS)
  @Throws('not_found')
  @ApiOperation({
    summary: 'Try a watcher on the past',
    description:
      'Replays the past with the rules that apply to live data, and lists the alerts that the watcher would have sent ' +
      'in the window and those that it would have suppressed. Nothing is sent or stored.',
  })
  @ApiEnvelope(WatcherPreviewDto)
  preview(@CurrentCaller() caller: KnownCaller, @Params() params: PreviewWatcherParams): Promise<WatcherPreviewDto> {
    return this.previews.preview(caller, params);
  }
}
