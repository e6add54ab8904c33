import { CanvasTexture, type Scene, Sprite, SpriteMaterial } from 'three'

export type Tagged = {
  readonly playerId: string
  readonly displayName: string
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Names above heads, of the nearest few. */
export type NameTags = {
  draw(players: readonly Tagged[], eye: { readonly x: number; readonly y: number; readonly z: number }): void
}

const tagsMax = 32
const seenBlocks = 48
const textPixels = 40
const widthMax = 512

/** The text as a picture: nothing of it is ever taken as markup. */
const paint = (name: string): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  const font = `600 ${textPixels}px system-ui, sans-serif`
  if (context === null) return canvas
  context.font = font
  canvas.width = Math.min(widthMax, Math.ceil(context.measureText(name).width) + 28)
  canvas.height = textPixels + 20
  context.font = font
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  context.fillStyle = 'rgba(10, 14, 20, 0.55)'
  context.beginPath()
  context.roundRect(0, 0, canvas.width, canvas.height, 10)
  context.fill()
  context.fillStyle = '#ffffff'
  context.fillText(name, canvas.width / 2, canvas.height / 2 + 2, widthMax - 20)
  return canvas
}

type Tag = { readonly sprite: Sprite; readonly name: string }

export const createNameTags = (scene: Scene): NameTags => {
  const tags = new Map<string, Tag>()
  const create = (name: string): Tag => {
    const canvas = paint(name)
    const texture = new CanvasTexture(canvas)
    const sprite = new Sprite(new SpriteMaterial({ map: texture, depthWrite: false, fog: false }))
    sprite.scale.set((canvas.width / canvas.height) * 0.3, 0.3, 1)
    sprite.renderOrder = 3
    scene.add(sprite)
    return { sprite, name }
  }
  const remove = (playerId: string, { sprite }: Tag): void => {
    scene.remove(sprite)
    sprite.material.map?.dispose()
    sprite.material.dispose()
    tags.delete(playerId)
  }
  return {
    draw: (players, eye) => {
      const here = new Map(players.map((player) => [player.playerId, player]))
      for (const [playerId, tag] of tags) {
        if (here.get(playerId)?.displayName !== tag.name) remove(playerId, tag)
        else tag.sprite.visible = false
      }
      const near = players
        .map((player) => ({ player, away: Math.hypot(player.x - eye.x, player.y - eye.y, player.z - eye.z) }))
        .filter(({ away }) => away < seenBlocks)
        .sort((a, b) => a.away - b.away)
        .slice(0, tagsMax)
      for (const { player } of near) {
        const { playerId, displayName, x, y, z } = player
        // Painted once: who comes and goes among the nearest keeps theirs.
        const tag = tags.get(playerId) ?? create(displayName)
        tags.set(playerId, tag)
        tag.sprite.visible = true
        tag.sprite.position.set(x, y + 2.15, z)
      }
    },
  }
}
