# syntax=docker/dockerfile:1
# One image for every role (PLUMBLINE_ROLES). It expects a PostgreSQL by DATABASE_URL, or keeps its own under /data.
# What it holds, and how the same one is built again: docs/guide/image.md.
ARG BASE=node:24.11.1-bookworm-slim
FROM ${BASE} AS build
# Seconds since 1970: what is made has the time of its commit.
ARG SOURCE_DATE_EPOCH
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# The server never uses libs/evaluation; `plumbline bench` says that it is not here. Nothing reads source maps or types, or
# compiles: npm leaves typescript there because @nestjs/swagger has a plugin for it. scripts/image-content.mjs knows the same.
RUN npm run build && npm run build:console && npm run build:docs && rm -r dist/libs/evaluation && npm run --silent sbom > sbom.json \
  && npm prune --omit=dev --no-audit --no-fund && rm -rf dist/.tsbuildinfo node_modules/typescript \
  && find dist node_modules -type f -regextype posix-extended -regex '.*\.((c|m)?[jt]s|css)\.map|.*\.d\.(c|m)?ts' -delete

FROM ${BASE}
ARG SOURCE=
ARG REVISION=
LABEL org.opencontainers.image.title="Plumbline" \
  org.opencontainers.image.description="Self-hosted anomaly detection for time-series metrics" \
  org.opencontainers.image.version="1.0.0" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production PLUMBLINE_DATA=/data PLUMBLINE_MANAGEMENT_HOST=0.0.0.0
WORKDIR /app
# The embedded database refuses to run as root, so nothing here does. The program belongs to root all the same: only /data
# is to be written to, and the rest may be read-only (docs/guide/kubernetes.md).
RUN mkdir -p /data && chown node:node /data && ln -s /app/bin/plumbline.mjs /usr/local/bin/plumbline
COPY --from=build /app/package.json /app/sbom.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
# The user `node`, by number: of a name Kubernetes cannot tell whether it is root.
USER 1000:1000
VOLUME /data
EXPOSE 3000 9091 2003
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9091/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/apps/cli/src/main.js"]
CMD ["serve"]
