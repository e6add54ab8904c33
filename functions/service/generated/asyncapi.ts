// Made from the messages of sockets by `npm run generate`.

/** Channels, operations and components of the AsyncAPI document. */
export const socketsDescription = {
  "channels": {
    "zoneFeed": {
      "address": "/api/admin/ws/instances/{id}",
      "description": "One zone, live: its record, its blocks, who is in it; takes edits. See docs/zone-feed.md.",
      "parameters": {
        "id": {
          "description": "The id of the zone."
        }
      },
      "messages": {
        "zone": {
          "$ref": "#/components/messages/zoneFeed-zone"
        },
        "blocks": {
          "$ref": "#/components/messages/zoneFeed-blocks"
        },
        "playerEntered": {
          "$ref": "#/components/messages/zoneFeed-playerEntered"
        },
        "playerMoved": {
          "$ref": "#/components/messages/zoneFeed-playerMoved"
        },
        "playerLeft": {
          "$ref": "#/components/messages/zoneFeed-playerLeft"
        },
        "deleted": {
          "$ref": "#/components/messages/zoneFeed-deleted"
        },
        "result": {
          "$ref": "#/components/messages/zoneFeed-result"
        },
        "renewed": {
          "$ref": "#/components/messages/zoneFeed-renewed"
        },
        "error": {
          "$ref": "#/components/messages/zoneFeed-error"
        },
        "heartbeat": {
          "$ref": "#/components/messages/zoneFeed-heartbeat"
        },
        "resume": {
          "$ref": "#/components/messages/zoneFeed-resume"
        },
        "renew": {
          "$ref": "#/components/messages/zoneFeed-renew"
        },
        "edit": {
          "$ref": "#/components/messages/zoneFeed-edit"
        }
      }
    },
    "worldFeed": {
      "address": "/api/admin/ws/worlds/{world}",
      "description": "A part of a world, live: players in view, changed tiles of the map, zones, chat, players who join and leave. See docs/world-feed.md.",
      "parameters": {
        "world": {
          "description": "The name of the world."
        }
      },
      "messages": {
        "players": {
          "$ref": "#/components/messages/worldFeed-players"
        },
        "tiles": {
          "$ref": "#/components/messages/worldFeed-tiles"
        },
        "zones": {
          "$ref": "#/components/messages/worldFeed-zones"
        },
        "chat": {
          "$ref": "#/components/messages/worldFeed-chat"
        },
        "joined": {
          "$ref": "#/components/messages/worldFeed-joined"
        },
        "left": {
          "$ref": "#/components/messages/worldFeed-left"
        },
        "renewed": {
          "$ref": "#/components/messages/worldFeed-renewed"
        },
        "error": {
          "$ref": "#/components/messages/worldFeed-error"
        },
        "heartbeat": {
          "$ref": "#/components/messages/worldFeed-heartbeat"
        },
        "view": {
          "$ref": "#/components/messages/worldFeed-view"
        },
        "resume": {
          "$ref": "#/components/messages/worldFeed-resume"
        },
        "renew": {
          "$ref": "#/components/messages/worldFeed-renew"
        }
      }
    },
    "realtime": {
      "address": "/realtime",
      "description": "Players in the game, in protobuf or its JSON mapping. The first message is `connect` with a token. See docs/protocol-notes.md.",
      "messages": {
        "ServerMessage": {
          "$ref": "#/components/messages/realtime-ServerMessage"
        },
        "ClientMessage": {
          "$ref": "#/components/messages/realtime-ClientMessage"
        }
      }
    }
  },
  "operations": {
    "zoneFeed-send": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/zoneFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/zoneFeed/messages/zone"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/blocks"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/playerEntered"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/playerMoved"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/playerLeft"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/deleted"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/result"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/renewed"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/error"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/heartbeat"
        }
      ]
    },
    "zoneFeed-receive": {
      "action": "receive",
      "channel": {
        "$ref": "#/channels/zoneFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/zoneFeed/messages/resume"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/renew"
        },
        {
          "$ref": "#/channels/zoneFeed/messages/edit"
        }
      ]
    },
    "worldFeed-send": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/worldFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/worldFeed/messages/players"
        },
        {
          "$ref": "#/channels/worldFeed/messages/tiles"
        },
        {
          "$ref": "#/channels/worldFeed/messages/zones"
        },
        {
          "$ref": "#/channels/worldFeed/messages/chat"
        },
        {
          "$ref": "#/channels/worldFeed/messages/joined"
        },
        {
          "$ref": "#/channels/worldFeed/messages/left"
        },
        {
          "$ref": "#/channels/worldFeed/messages/renewed"
        },
        {
          "$ref": "#/channels/worldFeed/messages/error"
        },
        {
          "$ref": "#/channels/worldFeed/messages/heartbeat"
        }
      ]
    },
    "worldFeed-receive": {
      "action": "receive",
      "channel": {
        "$ref": "#/channels/worldFeed"
      },
      "messages": [
        {
          "$ref": "#/channels/worldFeed/messages/view"
        },
        {
          "$ref": "#/channels/worldFeed/messages/resume"
        },
        {
          "$ref": "#/channels/worldFeed/messages/renew"
        }
      ]
    },
    "realtime-send": {
      "action": "send",
      "channel": {
        "$ref": "#/channels/realtime"
      },
      "messages": [
        {
          "$ref": "#/channels/realtime/messages/ServerMessage"
        }
      ]
    },
    "realtime-receive": {
      "action": "receive",
      "channel": {
        "$ref": "#/channels/realtime"
      },
      "messages": [
        {
          "$ref": "#/channels/realtime/messages/ClientMessage"
        }
      ]
    }
  },
  "components": {
    "schemas": {
      "protocol": {
        "schemaFormat": "application/vnd.google.protobuf;version=3",
        "schema": "// Messages between a game client and the real-time node, protocol version 1.\n//\n// A binary WebSocket frame holds one ClientMessage or ServerMessage; a text frame holds the same in protobuf's JSON mapping.\n// Field numbers are never reused.\nsyntax = \"proto3\";\n\npackage gatehouse.v1;\n\nimport \"google/protobuf/struct.proto\";\n\nmessage ClientMessage {\n  oneof kind {\n    Connect connect = 1;\n    Move move = 2;\n    EditBlocks edit_blocks = 3;\n    Chat chat = 4;\n    Command command = 5;\n    Preferences preferences = 6;\n    ViewRadius view_radius = 7;\n    Ping ping = 8;\n    Disconnect disconnect = 9;\n  }\n}\n\nmessage ServerMessage {\n  oneof kind {\n    Welcome welcome = 1;\n    Chunk chunk = 2;\n    ChunkGone chunk_gone = 3;\n    Players players = 4;\n    BlocksChanged blocks_changed = 5;\n    EditResult edit_result = 6;\n    Correction correction = 7;\n    ChatMessage chat_message = 8;\n    CommandResult command_result = 9;\n    Notice notice = 10;\n    ZoneChanged zone_changed = 11;\n    PermissionsChanged permissions_changed = 12;\n    BlocksRegistry blocks_registry = 13;\n    ErrorReply error = 14;\n    Kick kick = 15;\n    Pong pong = 16;\n  }\n}\n\n// A place and a direction. Blocks; degrees, yaw in 0…360 and pitch in -90…90. Yaw 0 looks along +x, 90 along +z.\nmessage Position {\n  double x = 1;\n  double y = 2;\n  double z = 3;\n  float yaw = 4;\n  float pitch = 5;\n}\n\n// The first message of every connection, within 5 seconds and 8 KiB.\nmessage Connect {\n  // From a sign-in; may be absent with a resume_token.\n  string token = 1;\n  uint32 protocol_version = 2;\n  // For the server's log, up to 64 characters.\n  string client_name = 3;\n  // From the last Welcome; good for one use.\n  optional string resume_token = 4;\n}\n\n// Where the client wants to be. `seq` never decreases.\nmessage Move {\n  uint32 seq = 1;\n  double x = 2;\n  double y = 3;\n  double z = 4;\n  float yaw = 5;\n  float pitch = 6;\n}\n\n// A block and what it becomes. `type` is an id from Welcome.blocks; `air` breaks.\nmessage BlockEdit {\n  sint32 x = 1;\n  sint32 y = 2;\n  sint32 z = 3;\n  string type = 4;\n}\n\n// 1 to 256 edits of different blocks within reach, all or nothing; the EditResult bears the same `seq`.\nmessage EditBlocks {\n  uint32 seq = 1;\n  repeated BlockEdit edits = 2;\n}\n\n// 1 to 512 characters to everybody on the node; a text that begins with \"/\" is a command.\nmessage Chat {\n  optional string channel = 1;\n  string text = 2;\n}\n\n// `/name arg \"quoted arg\"`; the CommandResult bears the same `seq`.\nmessage Command {\n  uint32 seq = 1;\n  string text = 2;\n}\n\n// What the player switches off for themselves; each part that is present replaces what was stored.\nmessage Preferences {\n  DisabledCommands disabled_commands = 1;\n}\n\nmessage DisabledCommands {\n  repeated string names = 1;\n}\n\n// How far the player wants to see, in chunks: 1…16, capped by the server.\nmessage ViewRadius {\n  uint32 chunks = 1;\n}\n\nmessage Ping {\n  uint32 nonce = 1;\n}\n\n// A clean leave; the session cannot be resumed.\nmessage Disconnect {}\n\n// The session exists. What a client knew of other players and of columns before is void.\nmessage Welcome {\n  string player_id = 1;\n  string display_name = 2;\n  repeated string groups = 3;\n  Position position = 4;\n  World world = 5;\n  // Ticks a second.\n  uint32 tick_rate = 6;\n  // In chunks.\n  uint32 view_radius = 7;\n  repeated BlockType blocks = 8;\n  repeated CommandInfo commands = 9;\n  // Secret; brings the player back to this session after a lost connection, once.\n  string resume_token = 10;\n  string server_version = 11;\n  // Seconds that a lost session waits for its player.\n  uint32 resume_seconds = 12;\n  // What the operators tell everybody who comes in (`realtime.motd`); absent where they say nothing.\n  optional string motd = 13;\n  // What the player has besides their groups, as long as it lasts; those that are over are left out.\n  repeated SessionGrant grants = 14;\n  // True for who holds world.fly: a client that draws a body lets them fly. Absent for all others.\n  optional bool may_fly = 16;\n  // Chunks around a player that the server shows at the most, whatever ViewRadius asks for.\n  optional uint32 view_radius_max = 17;\n}\n\nmessage World {\n  string name = 1;\n}\n\n// A group or one permission that an account was given for a time, or at a place.\nmessage SessionGrant {\n  string id = 1;\n  // Either this or permission.\n  optional string group = 2;\n  optional string permission = 3;\n  // Counts in this world only.\n  optional string world = 4;\n  // Counts in the zone of this id only.\n  optional string zone = 5;\n  // When it ends, ISO 8601; absent where it does not.\n  optional string until = 6;\n}\n\nmessage BlockType {\n  // What stands in palettes; it is the block's for as long as the connection lasts. Not its place in the list: there may be gaps.\n  uint32 index = 1;\n  string id = 2;\n  // 0xRRGGBB.\n  uint32 colour = 3;\n  bool solid = 4;\n  // True of the one that stands where a block's id is known no more, absent of all others: nothing to build with, edits to it are refused.\n  optional bool placeholder = 5;\n  // What people call it, by blocks.yaml; for people alone.\n  optional string name = 6;\n}\n\n// A command that this session may run.\nmessage CommandInfo {\n  string name = 1;\n  string usage = 2;\n  string description = 3;\n}\n\n// A column of 16×16 blocks, 256 high. It replaces what the client had of that column.\nmessage Chunk {\n  sint32 cx = 1;\n  sint32 cz = 2;\n  // Those that are not all air, by y.\n  repeated Section sections = 3;\n}\n\n// 16×16×16 blocks.\nmessage Section {\n  // 0 to 15, the lowest first.\n  uint32 y = 1;\n  // Indexes of the kinds of blocks.\n  repeated uint32 palette = 2;\n  // Of one entry of `data`: 0, 1, 2, 4, 8 or 16. With 0 there is no data, and every block is the first of the palette.\n  uint32 bits = 3;\n  // 4,096 entries, each a place in the palette: of the block at y * 256 + z * 16 + x. Lowest bits first; 16 bits little-endian.\n  bytes data = 4;\n}\n\n// The column is out of view; the client hears no more of it.\nmessage ChunkGone {\n  sint32 cx = 1;\n  sint32 cz = 2;\n}\n\n// Blocks of columns in view are other than before.\nmessage BlocksChanged {\n  repeated BlockEdit edits = 1;\n  // The playerId of who did it; empty when it was the server.\n  string by = 2;\n}\n\n// `ok` only once the edits are in the store, where no crash takes them back. Edits that were seen in the world and then could not be\n// stored are undone: BlocksChanged tells what is there instead.\nmessage EditResult {\n  uint32 seq = 1;\n  bool ok = 2;\n  // Why not.\n  // invalid: none, more than 256, the same block twice, or no block of the world. unknown-block: a type that Welcome does not list, or\n  // `unknown`. missing-permission: a colon, a space and the permission follow, and for a zone ` in zone \"its name\"`. out-of-reach: more\n  // than 7 blocks from the eyes, which are 1.62 above the feet, to the nearest point of the block. not-loaded: the column is not there\n  // yet. occupied: a solid block where a player stands. zones-unknown: the server does not know yet where zones are; again in a moment.\n  // busy: too much waits to be stored; again in a moment. storage-full, unavailable: it cannot be stored at the moment. lease-lost:\n  // another node runs this world. zone-rules: a colon, a space and what the rules of a zone say follow, and ` in zone \"its name\"`.\n  string reason = 3;\n  // Where the whole answer is, a path of the HTTP API, for who may read why somebody may not; else absent.\n  optional string explain = 4;\n}\n\n// What changed in view in one tick. Apply gone, then appeared, then cells; skip entries whose ref never appeared.\nmessage Players {\n  uint32 tick = 1;\n  repeated CellMoves cells = 2;\n  repeated Appeared appeared = 3;\n  repeated uint32 gone = 4;\n}\n\n// A square column of the world, 64 blocks wide: its corner is at x * 64, z * 64.\nmessage Cell {\n  sint32 x = 1;\n  sint32 z = 2;\n}\n\nmessage CellMoves {\n  Cell cell = 1;\n  // 10 bytes an entry, little-endian: ref u16; x, y, z u16 in 1/64 block from the cell's corner and from y = 0;\n  // yaw u8 in 1/256 turn; pitch i8 in 1/256 turn.\n  bytes moved = 2;\n}\n\n// A player came into view, or changed their name. `ref` stands for this player until it is gone.\nmessage Appeared {\n  uint32 ref = 1;\n  string player_id = 2;\n  string display_name = 3;\n  Position position = 4;\n}\n\n// Where the server has the player; `seq` is that of the refused Move, or of the last one.\nmessage Correction {\n  uint32 seq = 1;\n  Position position = 2;\n  // too-fast, out-of-bounds, blocked, edge, invalid, zone-closed or teleport. edge: the land there is not made yet. The client waits\n  // where it is and may try again; moves that lead there are passed over meanwhile, and answered once a second.\n  string reason = 3;\n  // With reason zone-closed: where the player may not go.\n  optional ClosedGround closed = 4;\n}\n\n// One column of a zone that lets in its members alone, blocks from y_min to y_max, both included; the columns beside it may be of the\n// same zone. Zones open again: nothing here lasts. Whoever is in the zone, by ZoneChanged, may walk about in it and out.\nmessage ClosedGround {\n  // The zone's.\n  string zone_id = 1;\n  string zone_name = 2;\n  sint32 cx = 3;\n  sint32 cz = 4;\n  uint32 y_min = 5;\n  uint32 y_max = 6;\n}\n\nmessage ChatMessage {\n  string channel = 1;\n  string from = 2;\n  string text = 3;\n}\n\nmessage CommandResult {\n  uint32 seq = 1;\n  bool ok = 2;\n  string text = 3;\n  // For programs: what the text says, as a value.\n  google.protobuf.Value data = 4;\n}\n\nmessage Notice {\n  // info, warning or error.\n  string severity = 1;\n  string text = 2;\n  // What it is about, for programs; absent of what needs no name. warning: a moderator warns the player.\n  // message: an administrator tells the player something that nobody else sees. whisper: a player does, by /msg.\n  // announcement: everybody on every node is told.\n  optional string kind = 3;\n}\n\n// The block at the player's feet is in another zone than before, or in none; zones that are switched off count as absent. After Welcome\n// the player is in none until this says otherwise. `entered` alone may name the zone that the player is in: it has another name now.\nmessage ZoneChanged {\n  optional EnteredZone entered = 1;\n  optional LeftZone left = 2;\n}\n\nmessage EnteredZone {\n  string id = 1;\n  string name = 2;\n}\n\nmessage LeftZone {\n  string id = 1;\n}\n\n// Groups or commands of this session are other than before; both lists are whole.\nmessage PermissionsChanged {\n  repeated string groups = 1;\n  repeated CommandInfo commands = 2;\n  // As in Welcome.\n  optional bool may_fly = 16;\n}\n\n// The kinds of blocks are other than before: some were added, or look or stop otherwise. The list is whole, in place of Welcome.blocks; what\n// had an index keeps it, and columns that the client has stay as they are. An id that was `unknown` in them is known where a Chunk comes anew.\nmessage BlocksRegistry {\n  repeated BlockType blocks = 1;\n}\n\nmessage ErrorReply {\n  string code = 1;\n  string message = 2;\n  optional uint32 seq = 3;\n  // With code muted: why, in the words of whoever muted the player.\n  optional string reason = 4;\n  // With code muted: the end, in ISO 8601 UTC; absent where there is none.\n  optional string until = 5;\n}\n\n// The server is about to close the connection.\nmessage Kick {\n  string code = 1;\n  string reason = 2;\n  // When to try again.\n  optional uint32 retry_after_seconds = 3;\n  // With code protocol-version: the version that would do.\n  optional uint32 protocol_version = 4;\n  // With code going-away: the base address (http or https, to which /realtime is added) of the node that has the session now, to be\n  // resumed with the resume_token of the last Welcome.\n  optional string resume_url = 5;\n  // With resume_url: how long to wait before that, so that not all come at once.\n  optional uint32 retry_after_ms = 6;\n  // With code banned, whose `reason` is that of the ban: its end, in ISO 8601 UTC; absent where there is none.\n  optional string until = 7;\n}\n\nmessage Pong {\n  uint32 nonce = 1;\n  // Milliseconds since the Unix epoch.\n  double server_time = 2;\n}\n"
      }
    },
    "messages": {
      "zoneFeed-zone": {
        "name": "zone",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "zone",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "zone",
              "type": "string"
            },
            "zone": {
              "additionalProperties": false,
              "type": "object",
              "required": [
                "id",
                "name",
                "world",
                "yMin",
                "yMax",
                "chunks",
                "enabled",
                "clipPlanes",
                "shortcutBarPages",
                "owner",
                "createdAt",
                "updatedAt"
              ],
              "properties": {
                "id": {
                  "format": "uuid",
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "world": {
                  "pattern": "^[A-Za-z0-9_-]{1,64}$",
                  "type": "string"
                },
                "yMin": {
                  "minimum": 0,
                  "maximum": 255,
                  "type": "integer"
                },
                "yMax": {
                  "minimum": 0,
                  "maximum": 255,
                  "type": "integer"
                },
                "chunks": {
                  "minItems": 1,
                  "maxItems": 4096,
                  "type": "array",
                  "items": {
                    "additionalProperties": false,
                    "type": "object",
                    "required": [
                      "cx",
                      "cz"
                    ],
                    "properties": {
                      "cx": {
                        "minimum": -1875000,
                        "maximum": 1874999,
                        "type": "integer"
                      },
                      "cz": {
                        "minimum": -1875000,
                        "maximum": 1874999,
                        "type": "integer"
                      }
                    }
                  }
                },
                "enabled": {
                  "type": "boolean"
                },
                "clipPlanes": {
                  "additionalProperties": false,
                  "type": "object",
                  "required": [
                    "x",
                    "y",
                    "z"
                  ],
                  "properties": {
                    "x": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "enabled",
                        "flipped",
                        "pos"
                      ],
                      "properties": {
                        "enabled": {
                          "type": "boolean"
                        },
                        "flipped": {
                          "type": "boolean"
                        },
                        "pos": {
                          "type": "number"
                        }
                      }
                    },
                    "y": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "enabled",
                        "flipped",
                        "pos"
                      ],
                      "properties": {
                        "enabled": {
                          "type": "boolean"
                        },
                        "flipped": {
                          "type": "boolean"
                        },
                        "pos": {
                          "type": "number"
                        }
                      }
                    },
                    "z": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "enabled",
                        "flipped",
                        "pos"
                      ],
                      "properties": {
                        "enabled": {
                          "type": "boolean"
                        },
                        "flipped": {
                          "type": "boolean"
                        },
                        "pos": {
                          "type": "number"
                        }
                      }
                    }
                  }
                },
                "shortcutBarPages": {
                  "maxItems": 10,
                  "type": "array",
                  "items": {
                    "maxItems": 10,
                    "type": "array",
                    "items": {
                      "anyOf": [
                        {
                          "minLength": 1,
                          "maxLength": 64,
                          "type": "string"
                        },
                        {
                          "type": "null"
                        }
                      ]
                    }
                  }
                },
                "owner": {
                  "description": "A playerId: of the account that created the zone, until the owner is changed.",
                  "type": "string"
                },
                "createdAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "updatedAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "rules": {
                  "additionalProperties": false,
                  "description": "Absent: build `permission`, enter `everyone`.",
                  "type": "object",
                  "required": [
                    "build",
                    "enter"
                  ],
                  "properties": {
                    "build": {
                      "anyOf": [
                        {
                          "const": "permission",
                          "type": "string"
                        },
                        {
                          "const": "members",
                          "type": "string"
                        },
                        {
                          "const": "everyone",
                          "type": "string"
                        },
                        {
                          "const": "nobody",
                          "type": "string"
                        }
                      ]
                    },
                    "enter": {
                      "anyOf": [
                        {
                          "const": "everyone",
                          "type": "string"
                        },
                        {
                          "const": "members",
                          "type": "string"
                        }
                      ]
                    },
                    "greeting": {
                      "minLength": 1,
                      "maxLength": 200,
                      "type": "string"
                    },
                    "farewell": {
                      "minLength": 1,
                      "maxLength": 200,
                      "type": "string"
                    }
                  }
                },
                "members": {
                  "maxItems": 200,
                  "description": "PlayerIds, at most 200; absent: none.",
                  "type": "array",
                  "items": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  }
                },
                "opensAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "closesAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "expiresAt": {
                  "format": "date-time",
                  "type": "string"
                },
                "hours": {
                  "minItems": 1,
                  "maxItems": 21,
                  "description": "Outside of these hours the zone is as if disabled; absent: always open. With `to` at or before `from` they end on the next day. A time that clocks skip counts from the next they show; one that they show twice counts once.",
                  "type": "array",
                  "items": {
                    "additionalProperties": false,
                    "type": "object",
                    "required": [
                      "days",
                      "from",
                      "to"
                    ],
                    "properties": {
                      "days": {
                        "minItems": 1,
                        "maxItems": 7,
                        "uniqueItems": true,
                        "description": "The days on which the hours begin.",
                        "type": "array",
                        "items": {
                          "anyOf": [
                            {
                              "const": "mon",
                              "type": "string"
                            },
                            {
                              "const": "tue",
                              "type": "string"
                            },
                            {
                              "const": "wed",
                              "type": "string"
                            },
                            {
                              "const": "thu",
                              "type": "string"
                            },
                            {
                              "const": "fri",
                              "type": "string"
                            },
                            {
                              "const": "sat",
                              "type": "string"
                            },
                            {
                              "const": "sun",
                              "type": "string"
                            }
                          ]
                        }
                      },
                      "from": {
                        "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                        "examples": [
                          "18:00"
                        ],
                        "type": "string"
                      },
                      "to": {
                        "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                        "examples": [
                          "18:00"
                        ],
                        "type": "string"
                      }
                    }
                  }
                },
                "timeZone": {
                  "pattern": "^[A-Za-z][A-Za-z0-9_+/-]{0,59}$",
                  "description": "IANA name of the time zone of `hours` and of a daily reset; absent: UTC.",
                  "examples": [
                    "Europe/Berlin"
                  ],
                  "type": "string"
                },
                "reset": {
                  "additionalProperties": false,
                  "type": "object",
                  "required": [
                    "snapshot",
                    "every"
                  ],
                  "properties": {
                    "snapshot": {
                      "format": "uuid",
                      "description": "The id of a snapshot of the zone.",
                      "type": "string"
                    },
                    "every": {
                      "pattern": "^(\\d{1,5}[smhdw]|day at ([01]\\d|2[0-3]):[0-5]\\d( [A-Za-z][A-Za-z0-9_+/-]{0,59})?)$",
                      "maxLength": 80,
                      "description": "How often: 10m to 52w, counted from when the node of the world learns of it; or `day at 06:00` by the `timeZone` of the zone, `day at 06:00 Europe/Berlin` by another.",
                      "examples": [
                        "1d",
                        "day at 06:00",
                        "day at 06:00 Europe/Berlin"
                      ],
                      "type": "string"
                    }
                  }
                },
                "ownerGone": {
                  "description": "The account of its owner is deleted; give the zone another one.",
                  "const": true,
                  "type": "boolean"
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        }
      },
      "zoneFeed-blocks": {
        "name": "blocks",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "edits",
            "by",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "blocks",
              "type": "string"
            },
            "edits": {
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "x",
                  "y",
                  "z",
                  "type"
                ],
                "properties": {
                  "x": {
                    "type": "integer"
                  },
                  "y": {
                    "type": "integer"
                  },
                  "z": {
                    "type": "integer"
                  },
                  "type": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  }
                }
              }
            },
            "by": {
              "type": "string"
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-playerEntered": {
        "name": "playerEntered",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "playerId",
            "displayName",
            "position"
          ],
          "properties": {
            "type": {
              "const": "playerEntered",
              "type": "string"
            },
            "playerId": {
              "type": "string"
            },
            "displayName": {
              "type": "string"
            },
            "position": {
              "type": "object",
              "required": [
                "x",
                "y",
                "z",
                "yaw",
                "pitch"
              ],
              "properties": {
                "x": {
                  "type": "number"
                },
                "y": {
                  "type": "number"
                },
                "z": {
                  "type": "number"
                },
                "yaw": {
                  "type": "number"
                },
                "pitch": {
                  "type": "number"
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-playerMoved": {
        "name": "playerMoved",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "playerId",
            "position",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "playerMoved",
              "type": "string"
            },
            "playerId": {
              "type": "string"
            },
            "position": {
              "type": "object",
              "required": [
                "x",
                "y",
                "z",
                "yaw",
                "pitch"
              ],
              "properties": {
                "x": {
                  "type": "number"
                },
                "y": {
                  "type": "number"
                },
                "z": {
                  "type": "number"
                },
                "yaw": {
                  "type": "number"
                },
                "pitch": {
                  "type": "number"
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-playerLeft": {
        "name": "playerLeft",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "playerId",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "playerLeft",
              "type": "string"
            },
            "playerId": {
              "type": "string"
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-deleted": {
        "name": "deleted",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "deleted",
              "type": "string"
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-result": {
        "name": "result",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "ref",
            "ok",
            "applied",
            "rejected"
          ],
          "properties": {
            "type": {
              "const": "result",
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            },
            "ok": {
              "type": "boolean"
            },
            "applied": {
              "minimum": 0,
              "type": "integer"
            },
            "rejected": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "index",
                  "reason"
                ],
                "properties": {
                  "index": {
                    "minimum": 0,
                    "type": "integer"
                  },
                  "reason": {
                    "type": "string"
                  }
                }
              }
            },
            "reason": {
              "type": "string"
            }
          }
        }
      },
      "zoneFeed-renewed": {
        "name": "renewed",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "expiresAt"
          ],
          "properties": {
            "type": {
              "const": "renewed",
              "type": "string"
            },
            "expiresAt": {
              "format": "date-time",
              "type": "string"
            }
          }
        }
      },
      "zoneFeed-error": {
        "name": "error",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "code",
            "message"
          ],
          "properties": {
            "type": {
              "const": "error",
              "type": "string"
            },
            "code": {
              "type": "string"
            },
            "message": {
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-heartbeat": {
        "name": "heartbeat",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type"
          ],
          "properties": {
            "type": {
              "const": "heartbeat",
              "type": "string"
            }
          }
        }
      },
      "zoneFeed-resume": {
        "name": "resume",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "since"
          ],
          "properties": {
            "type": {
              "const": "resume",
              "type": "string"
            },
            "since": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "zoneFeed-renew": {
        "name": "renew",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "token"
          ],
          "properties": {
            "type": {
              "const": "renew",
              "type": "string"
            },
            "token": {
              "minLength": 1,
              "maxLength": 256,
              "type": "string"
            }
          }
        }
      },
      "zoneFeed-edit": {
        "name": "edit",
        "payload": {
          "type": "object",
          "required": [
            "type",
            "ref",
            "edits"
          ],
          "properties": {
            "type": {
              "const": "edit",
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            },
            "edits": {
              "minItems": 1,
              "maxItems": 4096,
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "x",
                  "y",
                  "z",
                  "type"
                ],
                "properties": {
                  "x": {
                    "type": "integer"
                  },
                  "y": {
                    "type": "integer"
                  },
                  "z": {
                    "type": "integer"
                  },
                  "type": {
                    "minLength": 1,
                    "maxLength": 64,
                    "type": "string"
                  }
                }
              }
            },
            "partial": {
              "type": "boolean"
            }
          }
        }
      },
      "worldFeed-players": {
        "name": "players",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "players",
            "gone",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "players",
              "type": "string"
            },
            "players": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "playerId",
                  "displayName",
                  "position"
                ],
                "properties": {
                  "playerId": {
                    "type": "string"
                  },
                  "displayName": {
                    "type": "string"
                  },
                  "position": {
                    "type": "object",
                    "required": [
                      "x",
                      "y",
                      "z",
                      "yaw",
                      "pitch"
                    ],
                    "properties": {
                      "x": {
                        "type": "number"
                      },
                      "y": {
                        "type": "number"
                      },
                      "z": {
                        "type": "number"
                      },
                      "yaw": {
                        "type": "number"
                      },
                      "pitch": {
                        "type": "number"
                      }
                    }
                  }
                }
              }
            },
            "gone": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        }
      },
      "worldFeed-tiles": {
        "name": "tiles",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "tiles",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "tiles",
              "type": "string"
            },
            "tiles": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "zoom",
                  "tx",
                  "tz"
                ],
                "properties": {
                  "zoom": {
                    "minimum": 0,
                    "maximum": 5,
                    "type": "integer"
                  },
                  "tx": {
                    "type": "integer"
                  },
                  "tz": {
                    "type": "integer"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "since": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        }
      },
      "worldFeed-zones": {
        "name": "zones",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "zones",
            "gone",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "zones",
              "type": "string"
            },
            "zones": {
              "type": "array",
              "items": {
                "additionalProperties": false,
                "type": "object",
                "required": [
                  "id",
                  "name",
                  "world",
                  "yMin",
                  "yMax",
                  "chunks",
                  "enabled",
                  "owner"
                ],
                "properties": {
                  "id": {
                    "format": "uuid",
                    "type": "string"
                  },
                  "name": {
                    "type": "string"
                  },
                  "world": {
                    "pattern": "^[A-Za-z0-9_-]{1,64}$",
                    "type": "string"
                  },
                  "yMin": {
                    "minimum": 0,
                    "maximum": 255,
                    "type": "integer"
                  },
                  "yMax": {
                    "minimum": 0,
                    "maximum": 255,
                    "type": "integer"
                  },
                  "chunks": {
                    "minItems": 1,
                    "maxItems": 4096,
                    "type": "array",
                    "items": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "cx",
                        "cz"
                      ],
                      "properties": {
                        "cx": {
                          "minimum": -1875000,
                          "maximum": 1874999,
                          "type": "integer"
                        },
                        "cz": {
                          "minimum": -1875000,
                          "maximum": 1874999,
                          "type": "integer"
                        }
                      }
                    }
                  },
                  "enabled": {
                    "type": "boolean"
                  },
                  "owner": {
                    "description": "A playerId: of the account that created the zone, until the owner is changed.",
                    "type": "string"
                  },
                  "opensAt": {
                    "format": "date-time",
                    "type": "string"
                  },
                  "closesAt": {
                    "format": "date-time",
                    "type": "string"
                  },
                  "expiresAt": {
                    "format": "date-time",
                    "type": "string"
                  },
                  "hours": {
                    "minItems": 1,
                    "maxItems": 21,
                    "description": "Outside of these hours the zone is as if disabled; absent: always open. With `to` at or before `from` they end on the next day. A time that clocks skip counts from the next they show; one that they show twice counts once.",
                    "type": "array",
                    "items": {
                      "additionalProperties": false,
                      "type": "object",
                      "required": [
                        "days",
                        "from",
                        "to"
                      ],
                      "properties": {
                        "days": {
                          "minItems": 1,
                          "maxItems": 7,
                          "uniqueItems": true,
                          "description": "The days on which the hours begin.",
                          "type": "array",
                          "items": {
                            "anyOf": [
                              {
                                "const": "mon",
                                "type": "string"
                              },
                              {
                                "const": "tue",
                                "type": "string"
                              },
                              {
                                "const": "wed",
                                "type": "string"
                              },
                              {
                                "const": "thu",
                                "type": "string"
                              },
                              {
                                "const": "fri",
                                "type": "string"
                              },
                              {
                                "const": "sat",
                                "type": "string"
                              },
                              {
                                "const": "sun",
                                "type": "string"
                              }
                            ]
                          }
                        },
                        "from": {
                          "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                          "examples": [
                            "18:00"
                          ],
                          "type": "string"
                        },
                        "to": {
                          "pattern": "^([01]\\d|2[0-3]):[0-5]\\d$",
                          "examples": [
                            "18:00"
                          ],
                          "type": "string"
                        }
                      }
                    }
                  },
                  "timeZone": {
                    "pattern": "^[A-Za-z][A-Za-z0-9_+/-]{0,59}$",
                    "description": "IANA name of the time zone of `hours` and of a daily reset; absent: UTC.",
                    "examples": [
                      "Europe/Berlin"
                    ],
                    "type": "string"
                  },
                  "reset": {
                    "additionalProperties": false,
                    "type": "object",
                    "required": [
                      "snapshot",
                      "every"
                    ],
                    "properties": {
                      "snapshot": {
                        "format": "uuid",
                        "description": "The id of a snapshot of the zone.",
                        "type": "string"
                      },
                      "every": {
                        "pattern": "^(\\d{1,5}[smhdw]|day at ([01]\\d|2[0-3]):[0-5]\\d( [A-Za-z][A-Za-z0-9_+/-]{0,59})?)$",
                        "maxLength": 80,
                        "description": "How often: 10m to 52w, counted from when the node of the world learns of it; or `day at 06:00` by the `timeZone` of the zone, `day at 06:00 Europe/Berlin` by another.",
                        "examples": [
                          "1d",
                          "day at 06:00",
                          "day at 06:00 Europe/Berlin"
                        ],
                        "type": "string"
                      }
                    }
                  }
                }
              }
            },
            "gone": {
              "type": "array",
              "items": {
                "type": "string"
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        }
      },
      "worldFeed-chat": {
        "name": "chat",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "lines",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "chat",
              "type": "string"
            },
            "lines": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "at",
                  "channel",
                  "from",
                  "text"
                ],
                "properties": {
                  "at": {
                    "type": "string"
                  },
                  "channel": {
                    "type": "string"
                  },
                  "from": {
                    "type": "string"
                  },
                  "by": {
                    "type": "string"
                  },
                  "text": {
                    "type": "string"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            },
            "reset": {
              "const": true,
              "type": "boolean"
            }
          }
        }
      },
      "worldFeed-joined": {
        "name": "joined",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "players",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "joined",
              "type": "string"
            },
            "players": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "playerId",
                  "displayName"
                ],
                "properties": {
                  "playerId": {
                    "type": "string"
                  },
                  "displayName": {
                    "type": "string"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "worldFeed-left": {
        "name": "left",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "players",
            "seq"
          ],
          "properties": {
            "type": {
              "const": "left",
              "type": "string"
            },
            "players": {
              "type": "array",
              "items": {
                "type": "object",
                "required": [
                  "playerId",
                  "displayName"
                ],
                "properties": {
                  "playerId": {
                    "type": "string"
                  },
                  "displayName": {
                    "type": "string"
                  }
                }
              }
            },
            "seq": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "worldFeed-renewed": {
        "name": "renewed",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "expiresAt"
          ],
          "properties": {
            "type": {
              "const": "renewed",
              "type": "string"
            },
            "expiresAt": {
              "format": "date-time",
              "type": "string"
            }
          }
        }
      },
      "worldFeed-error": {
        "name": "error",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "code",
            "message"
          ],
          "properties": {
            "type": {
              "const": "error",
              "type": "string"
            },
            "code": {
              "type": "string"
            },
            "message": {
              "type": "string"
            },
            "ref": {
              "minimum": -9007199254740991,
              "maximum": 9007199254740991,
              "type": "integer"
            }
          }
        }
      },
      "worldFeed-heartbeat": {
        "name": "heartbeat",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type"
          ],
          "properties": {
            "type": {
              "const": "heartbeat",
              "type": "string"
            }
          }
        }
      },
      "worldFeed-view": {
        "name": "view",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "minX",
            "minZ",
            "maxX",
            "maxZ"
          ],
          "properties": {
            "type": {
              "const": "view",
              "type": "string"
            },
            "minX": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "minZ": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "maxX": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            },
            "maxZ": {
              "minimum": -100000000,
              "maximum": 100000000,
              "type": "number"
            }
          }
        }
      },
      "worldFeed-resume": {
        "name": "resume",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "since"
          ],
          "properties": {
            "type": {
              "const": "resume",
              "type": "string"
            },
            "since": {
              "minimum": 0,
              "type": "integer"
            }
          }
        }
      },
      "worldFeed-renew": {
        "name": "renew",
        "payload": {
          "additionalProperties": false,
          "type": "object",
          "required": [
            "type",
            "token"
          ],
          "properties": {
            "type": {
              "const": "renew",
              "type": "string"
            },
            "token": {
              "minLength": 1,
              "maxLength": 256,
              "type": "string"
            }
          }
        }
      },
      "realtime-ServerMessage": {
        "name": "ServerMessage",
        "payload": {
          "$ref": "#/components/schemas/protocol"
        }
      },
      "realtime-ClientMessage": {
        "name": "ClientMessage",
        "payload": {
          "$ref": "#/components/schemas/protocol"
        }
      }
    },
    "securitySchemes": {
      "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token of a verified sign-in, for feeds: in `Authorization`, or as the subprotocols `gatehouse.feed.v1` and `bearer.<token>`. Players send theirs in `connect`."
      }
    }
  }
}
