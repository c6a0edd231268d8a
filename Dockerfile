# syntax=docker/dockerfile:1
# One image for every role (PLUMBLINE_ROLES). It expects a PostgreSQL by DATABASE_URL, or keeps its own under /data.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# The server never uses libs/evaluation; `plumbline bench` says that it is not here.
RUN npm run build && npm run build:console && npm run build:docs && rm -r dist/libs/evaluation && npm run --silent sbom > sbom.json \
  && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production PLUMBLINE_DATA=/data PLUMBLINE_MANAGEMENT_HOST=0.0.0.0
WORKDIR /app
# The embedded database refuses to run as root, so nothing here does. The program belongs to root all the same: only /data
# is to be written to, and the rest may be read-only (docs/guide/kubernetes.md).
RUN mkdir -p /data && chown node:node /data
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
